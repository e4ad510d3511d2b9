/** Where nothing answered, or something else than the service. */
export const unreached = 'The service could not be reached. Check your connection and try again.';
