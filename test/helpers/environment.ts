import { AsyncLocalStorage } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { quickWasm } from './quick-wasm';

// For the whole worker, before anything is compiled in it.
for (const option of quickWasm) setFlagsFromString(option);

type Parameters = ConstructorParameters<typeof TestEnvironment>;

let environment: WorkerEnvironment | undefined;

/**
 * The environment of all test files that one worker runs, one after the other. Jest would make a new
 * one for each, and nothing that a package consists of could be kept: see `runtime.js`. What a file
 * has changed in it is put back when the file ends. A file that failed may have left work behind,
 * which must not fail the next as well: that gets a new one.
 */
export default function environmentOfWorker(...parameters: Parameters): WorkerEnvironment {
  if (!environment || environment.hasFailed) {
    environment = ownEnvironment(...parameters);
  }
  return environment;
}

const failures = new Set(['test_fn_failure', 'hook_failure', 'error']);

/** For a file that counts what is global, as timers: work that other files left behind makes some too. */
export function ownEnvironment(...parameters: Parameters): WorkerEnvironment {
  return withPlainGlobal(() => new WorkerEnvironment(...parameters));
}

class WorkerEnvironment extends TestEnvironment {
  hasFailed = false;
  #kept = new Map<PropertyKey, PropertyDescriptor>();
  #variables: NodeJS.ProcessEnv;
  #exit: NodeJS.Process['exit'];

  constructor(...parameters: Parameters) {
    super(...parameters);
    this.keep(Reflect.ownKeys(this.global));
    this.#variables = { ...this.global.process.env };
    this.#exit = this.global.process.exit;
  }

  /** Lets the next files have these globals as they are now. */
  keep(names: PropertyKey[]): void {
    for (const name of names) {
      const descriptor = Reflect.getOwnPropertyDescriptor(this.global, name);
      if (descriptor) this.#kept.set(name, descriptor);
    }
  }

  handleTestEvent({ name }: { name: string }): void {
    this.hasFailed ||= failures.has(name);
  }

  /** Instead of Jest's, which takes the environment apart. */
  override async teardown(): Promise<void> {
    disableStorages();
    this.fakeTimersModern?.dispose();
    this.#restoreGlobals();
    this.#restoreProcess();
  }

  #restoreGlobals(): void {
    for (const name of Reflect.ownKeys(this.global)) {
      if (!this.#kept.has(name)) Reflect.deleteProperty(this.global, name);
    }
    for (const [name, descriptor] of this.#kept) {
      Reflect.defineProperty(this.global, name, descriptor);
    }
  }

  #restoreProcess(): void {
    const { process } = this.global;
    for (const name of Object.keys(process.env)) {
      if (!(name in this.#variables)) delete process.env[name];
    }
    Object.assign(process.env, this.#variables);
    // Jest wraps it for each file.
    process.exit = this.#exit;
    process.removeAllListeners();
  }
}

/** Jest hands V8 a proxy as the global object, and every global name would be looked up through it. */
function withPlainGlobal<T>(make: () => T): T {
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    return make();
  } finally {
    vm.createContext = createContext;
  }
}

/** Those in use. Node asks each of them at every promise, also those that a past file has left. */
const storages = new Set<AsyncLocalStorage<unknown>>();

const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function (
  this: AsyncLocalStorage<unknown>,
  ...parameters: unknown[]
) {
  storages.add(this);
  return Reflect.apply(run, this, parameters);
};

function disableStorages(): void {
  for (const storage of storages) storage.disable();
  storages.clear();
}

/**
 * What each file was compiled to, and out of what: a function, which Jest calls with a module to be
 * filled. In the one environment it serves every test file, and stays as optimised as it has become.
 */
const compiled = new Map<string, { source: string; context: unknown; made: CompiledFunction }>();

type CompiledFunction = ReturnType<typeof vm.compileFunction>;

const compile = vm.compileFunction;

vm.compileFunction = (source, parameters, options = {}) => {
  const key = `${options.filename} ${parameters}`;
  const context = options.parsingContext;
  const known = compiled.get(key);
  if (known?.source === source && known.context === context) return known.made;
  const made = compile(source, parameters, options);
  compiled.set(key, { source, context, made });
  return made;
};
