/** `npm run --silent api-key -- create …`: API keys, from the command line. */
import { z } from 'zod';
import { scope } from '../api/scopes';
import {
  apiKeyOwner,
  createApiKey,
  deleteApiKey,
  listApiKeys,
  updateApiKey,
} from '../api-keys/api-keys';
import { createApiKeyInput } from '../api-keys/schema';
import { commandLine } from '../audit/actor';
import { describeApiKeys } from './api-key-table';
import { emailOption, nameOption, requireAccountId } from './options';
import {
  type Command,
  readCommand,
  readOptions,
  runAsProcess,
  type Script,
  type Work,
} from './script';
import type { Terminal } from './terminal';

export const apiKeyScript: Script = {
  usage: `Makes and manages API keys.

  npm run --silent api-key -- create --email you@example.com --scopes read,write,delete
                                     [--expires 2030-12-31] [--name <name>]
  npm run --silent api-key -- list --email you@example.com
  npm run --silent api-key -- disable --id <id>
  npm run --silent api-key -- enable --id <id>
  npm run --silent api-key -- delete --id <id>

  create prints the new key and nothing else. It is shown this once: only a digest is stored. One
  that cannot be printed is deleted again.
  delete revokes the key at once and for good; disable does until enable.

  --email    the account's address
  --scopes   what the key may do, one or more of read, write and delete, separated by commas
  --expires  a date, the last day in UTC on which the key works, or an instant such as
             2030-12-31T12:00:00Z; without it the key does not expire
  --name     what the key is for, as lists show it
  --id       the key's id, as list shows it

They act on the database that DATABASE_URL names, else on the embedded one, also while the service
runs.`,

  read: (args, terminal) => readCommand(commands, args, terminal),
};

const commands = new Map<string, Command>([
  ['create', readCreate],
  ['list', readList],
  ['disable', (args) => readSwitch(args, false)],
  ['enable', (args) => readSwitch(args, true)],
  ['delete', readDelete],
]);

const scopesRule = 'must be one or more of read, write and delete, separated by commas';

const expiresRule = 'must be a date such as 2030-12-31, or an instant such as 2030-12-31T12:00:00Z';

const createOptions = z.object({
  email: emailOption,
  scopes: z
    .string('is missing')
    .transform((list) => list.split(',').map((item) => item.trim()))
    .refine((list) => scope.array().safeParse(list).success, scopesRule)
    .pipe(createApiKeyInput.shape.scopes),
  expires: z
    .string()
    .transform(endOfDay)
    .pipe(z.iso.datetime({ offset: true, error: expiresRule }))
    .transform((instant) => new Date(instant))
    .refine(
      (date) => createApiKeyInput.shape.expires_at.safeParse(date).success,
      'must be in a year from 1 to 9999',
    )
    .optional(),
  name: nameOption.default('Command line'),
});

function readCreate(args: string[], terminal: Terminal): Work {
  const { email, scopes, expires, name } = readOptions(args, createOptions);
  return async () => {
    const accountId = await requireAccountId(email);
    const { id, key } = await createApiKey(
      accountId,
      { name, scopes, expires_at: expires },
      commandLine,
    );
    if (expires && expires <= new Date()) terminal.say('Note: this key has expired already.');
    await terminal.hand(key).catch(() => takeBack(accountId, id));
  };
}

/** Nobody knows the key, so that nobody would miss it, or end it. Throws what to say of that. */
async function takeBack(accountId: string, id: string): Promise<never> {
  await deleteApiKey(accountId, id, commandLine).catch((cause) => {
    const command = `npm run api-key -- delete --id ${id}`;
    throw new Error(`The key could not be printed, nor deleted again. Delete it: ${command}`, {
      cause,
    });
  });
  throw new Error('The key could not be printed, and is deleted again.');
}

function readList(args: string[], terminal: Terminal): Work {
  const { email } = readOptions(args, z.object({ email: emailOption }));
  return async () => {
    const keys = await listApiKeys(await requireAccountId(email));
    terminal.print(describeApiKeys(keys, new Date()));
  };
}

const idOptions = z.object({ id: z.string('is missing').pipe(z.uuid('must be the id of a key')) });

function readSwitch(args: string[], enabled: boolean): Work {
  const { id } = readOptions(args, idOptions);
  return async () => {
    await updateApiKey(await apiKeyOwner(id), id, { enabled }, commandLine);
  };
}

function readDelete(args: string[]): Work {
  const { id } = readOptions(args, idOptions);
  return async () => deleteApiKey(await apiKeyOwner(id), id, commandLine);
}

/** A date alone stands for its last moment; anything else stays as it is. */
function endOfDay(dateOrInstant: string): string {
  return dateOrInstant.includes('T') ? dateOrInstant : `${dateOrInstant}T23:59:59.999Z`;
}

if (require.main === module) void runAsProcess(apiKeyScript);
