// Loaded into the service where its memory is measured: it collects garbage on a signal.
process.on('SIGUSR2', () => {
  globalThis.gc?.();
});
