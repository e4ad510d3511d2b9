/**
 * Options of Node for what ends soon: WebAssembly, which the embedded database and Prisma's engine are,
 * is compiled once and quickly. To compile it better while it runs costs a database a second of
 * processor time, which only thousands of statements bring in again.
 */
export const quickWasm = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];
