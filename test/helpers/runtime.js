const { default: Runtime } = require('jest-runtime');

/** By the environment that they were loaded in. */
const packagesOf = new WeakMap();

/**
 * Loads what is in `node_modules` once per worker instead of once per test file: that was most of
 * what a file cost. The application and the tests stay Jest's own business, new for each file. What
 * a package remembers is therefore there for the next file, as it is in a process that runs on, and
 * no `jest.mock` reaches what another package loads.
 *
 * JavaScript, because Jest requires it as it is. Its parameters are those of Jest's runtime.
 */
module.exports = class FileRuntime extends Runtime {
  #packages;

  constructor(config, environment, ...others) {
    const packages =
      packagesOf.get(environment) ?? new PackagesRuntime(config, environment, ...others);
    super(
      // A parameter of every module of the file, which hides the worker's.
      { ...config, sandboxInjectedGlobals: ['globalThis'] },
      withOwnGlobal(environment),
      ...others,
    );
    packagesOf.set(environment, packages);
    this.#packages = packages;
  }

  requireModule(from, name, ...options) {
    return this.#isInPackage(from, name)
      ? this.#packages.requireModule(from, name, ...options)
      : super.requireModule(from, name, ...options);
  }

  #isInPackage(from, name) {
    if (name && this._resolution.isCoreModule(name)) return false;
    const path = this._resolution.resolveCjs(from, name);
    // It holds the tests of the file.
    if (path.includes('/node_modules/jest-circus/')) return false;
    return path.includes('/node_modules/');
  }
};

/**
 * The worker's environment, with a `globalThis` on top of the worker's. The application keeps there
 * what it has once per process; work that outlives its file must not give that to the next.
 */
function withOwnGlobal(environment) {
  const global = Object.create(environment.global);
  global.globalThis = global;
  return Object.create(environment, { global: { value: global } });
}

/** Never ends, so that a package may load a part of itself while a later file runs. */
class PackagesRuntime extends Runtime {
  #requested = new Set();
  #isLoading = false;

  /** Keeps the globals that a package sets when it is loaded. */
  requireModule(from, name, ...options) {
    const request = `${from} ${name}`;
    if (this.#isLoading || this.#requested.has(request)) {
      return super.requireModule(from, name, ...options);
    }
    const { global } = this._environment;
    const before = new Set(Reflect.ownKeys(global));
    this.#isLoading = true;
    try {
      return super.requireModule(from, name, ...options);
    } finally {
      this.#isLoading = false;
      this.#requested.add(request);
      this._environment.keep(Reflect.ownKeys(global).filter((key) => !before.has(key)));
    }
  }
}
