const features = [
  'accounts',
  'api-keys',
  'events',
  'exports',
  'idempotency',
  'imports',
  'requests',
  'spaces',
  'storage',
  'test-mode',
  'testimonials',
  'transcription',
  'webhooks',
];

/** What pages share, from low to high: under `neighbours`, each leads to lower ones alone. */
const uiRooms = [
  'ui/browser',
  'ui/calls',
  'ui/session',
  'ui/components',
  'ui/forms',
  'ui/code',
  'ui/overlays',
  'ui/time',
];

/**
 * Who may import whom. Checked by `npm run check`; `docs/architecture.md` says what each room holds.
 * A room imports from lower floors only, and from its own floor what stands under `neighbours`.
 */
const floors = [
  ['ending.ts', 'error-parts.ts', 'urls'],
  [
    'env-values.ts',
    'env.ts',
    'fair-places.ts',
    'file-system',
    'mode.ts',
    'process-stat.ts',
    'singleton.ts',
    'stopping.ts',
    'time-limit.ts',
  ],
  ['logging', 'metrics', 'secrets', 'tracing'],
  [
    'database',
    'database/connections',
    'database/embedded',
    'database/migrations',
    'database/replicas',
    'database/sql',
    'outbound',
  ],
  ['api', 'copying', 'rate-limit'],
  ['outbox'],
  ['background'],
  ['audit', 'mail'],
  [...features, 'accounts/auth', 'webhooks/sending'],
  ['account-export.ts', 'far-tries.ts', 'router.ts', 'operations.ts', 'jobs.ts'],
  ['rest', 'rest/openapi', 'dashboard.ts'],
  ['http'],
  ['service', 'service/workers', 'ui', ...uiRooms],
  ['server.ts', 'cli', 'cli/doctor'],
];

/** Room → rooms of its own floor. None may lead back: circles are refused below. */
const neighbours = {
  database: [
    'database/connections',
    'database/embedded',
    'database/migrations',
    'database/replicas',
    'database/sql',
  ],
  'database/connections': ['database/embedded'],
  'database/migrations': ['database/connections'],
  'database/replicas': ['database/connections', 'database/migrations'],
  'env.ts': ['env-values.ts'],
  'stopping.ts': ['singleton.ts'],
  accounts: ['api-keys', 'storage', 'webhooks'],
  spaces: ['storage'],
  'accounts/auth': ['accounts'],
  'test-mode': ['accounts', 'spaces', 'storage', 'testimonials'],
  testimonials: ['storage', 'transcription'],
  transcription: ['storage'],
  events: ['webhooks'],
  exports: ['imports', 'testimonials'],
  imports: ['storage', 'testimonials', 'transcription'],
  webhooks: ['spaces', 'testimonials'],
  'webhooks/sending': ['webhooks'],
  'jobs.ts': ['far-tries.ts'],
  'operations.ts': ['router.ts'],
  rest: ['rest/openapi'],
  metrics: ['logging'],
  tracing: ['logging'],
  'dashboard.ts': ['rest'],
  'service/workers': ['service'],
  cli: ['cli/doctor'],
  'ui/calls': ['ui/browser'],
  'ui/session': ['ui/browser', 'ui/calls'],
  'ui/components': ['ui/browser', 'ui/calls'],
  'ui/forms': ['ui/browser', 'ui/calls', 'ui/components', 'ui/session'],
  'ui/code': ['ui/browser', 'ui/components'],
  'ui/overlays': ['ui/browser', 'ui/components', 'ui/forms', 'ui/session'],
  'ui/time': ['ui/overlays'],
  ui: ['ui/browser', 'ui/calls', 'ui/session', 'ui/time'],
};

const generated = '^src/database/generated/';

/** A platform packs with a page or route whatever it reaches. The pool names the embedded session. */
const outsideFunctions = [
  '^(test|bench|client|prisma)/',
  '^src/(cli|copying|http|service)/',
  '^src/server\\.ts$',
  '^src/database/open\\.ts$',
  '^src/database/embedded/(?!session\\.ts$)',
];

/** The files of a room and not those of a room within it. */
function pattern(room) {
  return room.endsWith('.ts') ? `^src/${room.replace('.', '\\.')}$` : `^src/${room}/[^/]+$`;
}

const rooms = floors.flatMap((floor, height) =>
  floor.map((room) => {
    const lower = floors.slice(0, height).flat();
    const mayImport = [room, ...lower, ...(neighbours[room] ?? [])].map(pattern);
    return {
      name: `${room} imports lower floors and its neighbours`,
      severity: 'error',
      from: { path: pattern(room) },
      to: { path: '^src/', pathNot: [...mayImport, generated] },
    };
  }),
);

module.exports = {
  forbidden: [
    ...rooms,
    {
      name: 'every file stands in a room of this list',
      severity: 'error',
      from: { path: '^src/', pathNot: [...floors.flat().map(pattern), generated] },
      to: {},
    },
    {
      name: 'no circle between files',
      severity: 'error',
      from: { pathNot: generated },
      to: { circular: true },
    },
    {
      name: 'no circle between folders',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src' },
      to: { circular: true },
    },
    {
      name: 'what runs is a dependency: development dependencies are not in the container',
      severity: 'error',
      from: { path: '^(src|app)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'nothing under src knows a page',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^app/' },
    },
    {
      name: 'no page and route reaches what a function never needs: the embedded database, the long-lived service, commands, tests',
      severity: 'error',
      from: { path: '^app/' },
      to: { path: outsideFunctions, reachable: true },
    },
    {
      name: 'the client imports nothing but itself: it runs anywhere',
      severity: 'error',
      from: { path: '^client/src/' },
      to: { pathNot: '^client/src/' },
    },
    {
      name: 'nothing of the service imports the client',
      severity: 'error',
      from: { path: '^(src|app)/' },
      to: { path: '^client/' },
    },
    {
      name: 'what a browser loads knows of a feature its schema, limits and types alone',
      severity: 'error',
      // What these begin with runs on the server.
      from: { path: '^(app|src/ui)/', pathNot: ['/(page|layout|route)\\.tsx?$', '/data\\.ts$'] },
      to: {
        path: `^src/(audit|mail|${features.join('|')})/`,
        pathNot: '[/-](schema|limits)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'of src, only the service and what pages share know Next',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/service/', '^src/ui/'] },
      to: { path: 'node_modules/next/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', generated] },
  },
};
