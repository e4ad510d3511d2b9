import { provideEnv } from './src/env';
import { listTestimonials } from './src/testimonials/list';
import { listTestimonialsInput } from './src/testimonials/schema';
import { connections } from './src/database/client';
import { Client } from 'pg';
provideEnv({ DATABASE_URL: process.env.DB!, SECRET_KEY: 'x'.repeat(32), LOG_LEVEL: 'error' });
const big = 'f0a65b2c-8df2-45a3-ae6c-5d2171f2842c', small = '45118744-422f-429f-adbf-eb4848d5b32b', bigSpace='82f4a47a-0c0a-4a62-ae3b-dc52771098d1';
async function main() {
  const explain = process.argv[2];
  let last: any;
  const q = Client.prototype.query as any;
  (Client.prototype as any).query = function (c: any, ...r: any[]) { if (c && c.text) last = c; return q.call(this, c, ...r); };
  const cases: [string, string, any][] = [];
  for (const [who, id] of [['big', big], ['small', small]] as const) {
    for (const [n, i] of Object.entries<any>({
      first: {}, approved: { status: 'approved' }, pending: {status:'pending'}, rejected: {status:'rejected'}, rating5: { rating: 5 }, 'approved+5': { status: 'approved', rating: 5 }, video: { type: 'video' }, 'rej+vid+1': { status: 'rejected', type: 'video', rating: 1 },
      space: { space_id: bigSpace }, 'space+approved': { space_id: bigSpace, status: 'approved' },
      'sort rating': { sort_by: 'rating' }, 'sort rating asc': { sort_by: 'rating', sort_order: 'asc' }, 'sort rating approved': { sort_by: 'rating', status: 'approved' }, 'sort shares': { sort_by: 'shares' }, 'sort updated': { sort_by: 'updated_at' }, 'asc': { sort_order: 'asc' },
      'deep': { offset: 100000 }, 'deep end': { offset: 199940 }, 'deep approved': { offset: 100000, status: 'approved' }, 'deep rating': { offset: 100000, sort_by: 'rating' }, 'offset 499': { offset: 499 },'offset 2000': { offset: 2000 },
      'date from': { date_from: '2026-01-01T00:00:00Z' }, 'date month': { date_from: '2026-01-01T00:00:00Z', date_to: '2026-02-01T00:00:00Z' },
      'search rare': { search: process.env.RARE ?? 'xylophone' }, 'search common': { search: 'support' }, 'search zq': { search: 'zq' }, 'search q': { search: 'q' }, 'search th': { search: 'th' }, 'search e': { search: 'e' }, 'search none': { search: 'qqqqq' }, 'search common approved': { search: 'support', status: 'approved' }, 'search common by rating': { search: 'support', sort_by: 'rating' }, 'search rare approved': { search: process.env.RARE ?? 'xylophone', status: 'approved' }, 'search !!!': {search:'!!!'},
    })) cases.push([`${who} ${n}`, id, i]);
  }
  for (const [name, id, i] of cases) {
    if (explain && !name.includes(explain)) continue;
    const input = listTestimonialsInput.parse(i);
    const times: number[] = []; let r: any;
    for (let k = 0; k < Number(process.env.N ?? 8); k++) { const t = performance.now(); r = await listTestimonials(id, input); times.push(performance.now() - t); }
    const s = [...times].sort((a, b) => a - b);
    console.log(name.padEnd(32), 'p50', s[s.length >> 1]!.toFixed(1), 'max', s.at(-1)!.toFixed(1), 'last', times.at(-1)!.toFixed(1), 'total', r.pagination.total, 'rows', r.data.length);
    if (explain) { const c = await connections().pool.connect(); const { rows } = await c.query({ text: 'EXPLAIN (ANALYZE, BUFFERS) ' + last.text, values: last.values } as any); console.log(rows.map((x: any) => x['QUERY PLAN']).join('\n')); c.release(); }
  }
  process.exit(0);
}
main();
