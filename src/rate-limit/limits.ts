/** Contract, section 8: requests per account, shared by all of its keys. */
export const apiRequestLimit = { requests: 1000, windowSeconds: 60 * 60 };
