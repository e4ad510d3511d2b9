export default async function globalTeardown(): Promise<void> {
  await globalThis.testDatabase?.close();
  globalThis.testDeployment?.remove();
}
