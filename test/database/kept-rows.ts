import { database } from '@/src/database/client';

/**
 * Where what triggers keep differs from what it is kept of, in the whole database: nothing, or a
 * line for each row that is missing, wrong, or of a space or account that is gone.
 */
export async function differences(): Promise<string[]> {
  const rows = await database().$queryRaw<{ line: string }[]>`
    WITH counts AS (
      SELECT user_id, space_id, status, type, coalesce(rating, 0) AS rating, count(*)::int AS count
      FROM testimonials GROUP BY 1, 2, 3, 4, 5
    ),
    kept_counts AS (
      SELECT user_id, space_id, status, type, rating, count FROM testimonial_counts WHERE count <> 0
    ),
    totals AS (
      SELECT u.id, (SELECT count(*)::int FROM testimonials t WHERE t.user_id = u.id) FROM users u
    ),
    kept_totals AS (SELECT id, testimonial_count FROM users),
    spaces_of AS (
      SELECT u.id, (SELECT count(*)::int FROM spaces s WHERE s.user_id = u.id) FROM users u
    ),
    kept_spaces AS (SELECT id, space_count FROM users),
    texts AS (
      SELECT id, user_id, created_at, folded_text(text_content) FROM testimonials
      WHERE text_content IS NOT NULL
    ),
    kept_texts AS (SELECT testimonial_id, user_id, created_at, folded FROM testimonial_texts),
    orphans AS (
      SELECT * FROM testimonial_counts c
      WHERE NOT EXISTS (SELECT FROM spaces s WHERE s.id = c.space_id AND s.user_id = c.user_id)
    )
    SELECT 'count missing ' || row(d.*) AS line FROM (TABLE counts EXCEPT ALL TABLE kept_counts) d
    UNION ALL SELECT 'count wrong ' || row(d.*) FROM (TABLE kept_counts EXCEPT ALL TABLE counts) d
    UNION ALL SELECT 'total missing ' || row(d.*) FROM (TABLE totals EXCEPT ALL TABLE kept_totals) d
    UNION ALL SELECT 'spaces wrong ' || row(d.*) FROM (TABLE kept_spaces EXCEPT ALL TABLE spaces_of) d
    UNION ALL SELECT 'text missing ' || row(d.*) FROM (TABLE texts EXCEPT ALL TABLE kept_texts) d
    UNION ALL SELECT 'text wrong ' || row(d.*) FROM (TABLE kept_texts EXCEPT ALL TABLE texts) d
    UNION ALL SELECT 'bytes wrong ' || u.id || ' ' || u.stored_bytes || ' for ' || stored_bytes_of(u.id)
      FROM users u WHERE u.stored_bytes <> stored_bytes_of(u.id)
    UNION ALL SELECT 'left of what is gone ' || row(d.*) FROM orphans d`;
  return rows.map(({ line }) => line);
}

/** The version that triggers keep of an account. */
export async function versionOf(id: string): Promise<string> {
  return (await database().user.findUniqueOrThrow({ where: { id }, select: { version: true } }))
    .version;
}
