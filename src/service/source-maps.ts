/**
 * tsx has Node read the source map of every module that is loaded. Those of this project show where an
 * error arose; those of packages show places in code that nobody here has, and would be a sixth of the
 * heap of a service that has just started. Imported before all others. Older versions of Node (20, and
 * 22 before 22.14) read either all or none, and go on reading all.
 */
import module from 'node:module';

type SupportedMaps = { nodeModules: boolean; generatedCode: boolean };

/** What the types of the oldest supported Node do not have. */
const later: typeof module & {
  setSourceMapsSupport?: (enabled: boolean, maps: SupportedMaps) => void;
} = module;

later.setSourceMapsSupport?.(true, { nodeModules: false, generatedCode: false });
