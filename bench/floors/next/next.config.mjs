import { resolve } from 'node:path';

// The project's own Next is above this folder.
const root = resolve(import.meta.dirname, '../../..');

/** @type {import('next').NextConfig} */
const config = { poweredByHeader: false, outputFileTracingRoot: root, turbopack: { root } };

export default config;
