export default async function globalTeardown(): Promise<void> {
  await globalThis.sharedBrowser?.close();
  await globalThis.sharedService?.stop();
}
