export default async function globalTeardown(): Promise<void> {
  const places = globalThis.openedPlaces ?? [];
  await Promise.all(places.flatMap(({ browser, service }) => [browser.close(), service.stop()]));
}
