/** Loaded when the first password is hashed: most commands hash none, and would wait for it. */
const load = () => import('better-auth/crypto');

export async function hashPassword(password: string): Promise<string> {
  return (await load()).hashPassword(password);
}

export async function verifyPassword(given: { hash: string; password: string }): Promise<boolean> {
  return (await load()).verifyPassword(given);
}
