import '../../src/service/source-maps';
import { findSourceMap } from 'node:module';
import 'lru-cache';

/** Prints where an error of this file arose, and whether a map of a package was read. */
const { stack } = new Error('of line 6');
const isPackageMapped = findSourceMap(require.resolve('lru-cache')) !== undefined;
process.stdout.write(JSON.stringify({ stack, isPackageMapped }));
