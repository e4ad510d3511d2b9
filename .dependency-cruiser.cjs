/**
 * Who may import whom. Checked by `npm run check`; `docs/architecture.md` says what each room holds.
 * A room imports from lower floors only, and from its own floor what stands under `neighbours`.
 */
const floors = [
  ['env.ts', 'fair-places.ts', 'singleton.ts', 'transfer-rate.ts'],
  ['build.ts', 'log.ts', 'secrets', 'temporary-folder.ts'],
  ['database', 'database/embedded', 'outbound'],
  ['api', 'rate-limit'],
  ['outbox'],
  ['background'],
  [
    'accounts',
    'api-keys',
    'events',
    'idempotency',
    'spaces',
    'storage',
    'testimonials',
    'transcription',
    'webhooks',
  ],
  ['router.ts', 'operations.ts', 'jobs.ts'],
  ['rest', 'rest/openapi', 'dashboard.ts'],
  ['http'],
  ['server.ts', 'cli', 'ui'],
];

/** Room → rooms of its own floor. None may lead back: circles are refused below. */
const neighbours = {
  database: ['database/embedded'],
  'temporary-folder.ts': ['singleton.ts'],
  spaces: ['storage'],
  storage: ['transcription'],
  testimonials: ['storage', 'transcription'],
  events: ['webhooks'],
  webhooks: ['spaces', 'testimonials'],
  'operations.ts': ['router.ts'],
  rest: ['rest/openapi'],
  'dashboard.ts': ['rest'],
};

const generated = '^src/database/generated/';

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
      name: 'nothing under src knows a page',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^app/' },
    },
    {
      name: 'of src, only the service and what pages share know Next',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/server\\.ts$', '^src/ui/'] },
      to: { path: 'node_modules/next/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: ['node_modules', generated] },
  },
};
