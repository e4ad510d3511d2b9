import { database } from '@/src/database/client';
import { Prisma } from '@/src/database/generated/client';

/**
 * Has the database fail, as where a connection is cut, at the first `times` changes of that kind to rows
 * of a table that meet `when`, or at each. Until `mendChanges`; one kind at a time, in a database of the
 * test file's own.
 */
export async function failChanges(
  change: string,
  table: string,
  { when = 'true', times = Number.MAX_SAFE_INTEGER }: { when?: string; times?: number } = {},
): Promise<void> {
  // A sequence counts on where all else is undone.
  await database().$executeRaw`CREATE SEQUENCE failed_changes`;
  await database().$executeRaw`
    CREATE FUNCTION fail_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('failed_changes') <= TG_ARGV[0]::bigint THEN
        RAISE EXCEPTION 'cut' USING ERRCODE = '08006';
      END IF;
      RETURN coalesce(NEW, OLD);
    END $$`;
  await database().$executeRaw(
    Prisma.raw(`
    CREATE TRIGGER fail_change BEFORE ${change} ON ${table}
    FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION fail_change(${times})`),
  );
}

/** Also where nothing is to fail. */
export async function mendChanges(): Promise<void> {
  await database().$executeRaw`DROP FUNCTION IF EXISTS fail_change CASCADE`;
  await database().$executeRaw`DROP SEQUENCE IF EXISTS failed_changes`;
}
