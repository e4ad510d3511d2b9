/** `npm run --silent account -- create …`: accounts, from the command line. */
import { z } from 'zod';
import { createAccount, createAccountInput, listAccounts, setPlan } from '../accounts/accounts';
import { closeAccount } from '../accounts/closing';
import { setPassword } from '../accounts/password';
import { accountHeadings, describeAccount } from './account-table';
import {
  emailOption,
  nameOption,
  newEmailOption,
  passwordOption,
  readPassword,
  requireAccountId,
} from './options';
import {
  type Command,
  readCommand,
  readOptions,
  runAsProcess,
  type Script,
  type Work,
} from './script';
import type { Terminal } from './terminal';

export const accountScript: Script = {
  usage: `Makes and manages accounts.

  npm run --silent account -- create --email you@example.com --password <password> [--name <name>]
  npm run --silent account -- set-password --email you@example.com --password <password>
  npm run --silent account -- set-plan --email you@example.com --plan paid
  npm run --silent account -- list
  npm run --silent account -- delete --email you@example.com [--yes]

  create prints the new account's id and nothing else.
  set-password signs the account out everywhere, and voids the links of mails to reset it.
  list prints a line for each account, by address.
  delete closes the account at once: its keys, sessions and webhooks stop. What it has is removed
  for good by the service, from a minute later. It asks for the address again.

  --email     the address to sign in with
  --password  8 to 128 characters; "-" reads it from standard input, so that it appears neither
              in the list of processes nor in the shell's history
  --name      what the account is called; the e-mail address where left out
  --plan      free or paid; on free, its keys are refused
  --yes       does not ask

They act on the database that DATABASE_URL names, else on the embedded one, also while the service
runs.`,

  mayBegin: ([command]) => command === 'create',

  read: (args, terminal) => readCommand(commands, args, terminal),
};

const commands = new Map<string, Command>([
  ['create', readCreate],
  ['set-password', readSetPassword],
  ['set-plan', readSetPlan],
  ['list', readList],
  ['delete', readDelete],
]);

const createOptions = z.object({
  email: newEmailOption,
  password: passwordOption,
  name: nameOption.optional(),
});

async function readCreate(args: string[], terminal: Terminal): Promise<Work> {
  const { email, name, ...given } = readOptions(args, createOptions);
  const password = await readPassword(given.password, terminal);
  return async () => terminal.print(await createAccount({ email, password, name }));
}

const passwordOptions = z.object({ email: emailOption, password: passwordOption });

async function readSetPassword(args: string[], terminal: Terminal): Promise<Work> {
  const { email, ...given } = readOptions(args, passwordOptions);
  const password = await readPassword(given.password, terminal);
  return async () => setPassword(await requireAccountId(email), password);
}

const planOptions = z.object({
  email: emailOption,
  plan: z.string('is missing').pipe(z.enum(['free', 'paid'], 'must be free or paid')),
});

function readSetPlan(args: string[]): Work {
  const { email, plan } = readOptions(args, planOptions);
  return async () => setPlan(await requireAccountId(email), plan);
}

function readList(args: string[], terminal: Terminal): Work {
  readOptions(args, z.object({}));
  return async () => {
    terminal.print(accountHeadings);
    for await (const account of listAccounts()) terminal.print(describeAccount(account));
  };
}

const deleteOptions = z.object({ email: emailOption, yes: z.boolean().default(false) });

function readDelete(args: string[], terminal: Terminal): Work {
  const { email, yes } = readOptions(args, deleteOptions);
  return async () => {
    const accountId = await requireAccountId(email);
    if (!yes) {
      const typed = await terminal.readLine(
        `This deletes ${email} with everything it has, for good. Type the address again: `,
      );
      const given = createAccountInput.shape.email.safeParse(typed.trim());
      if (given.data !== email) {
        throw new Error(
          'Nothing is deleted: that is not the address. With --yes nothing is asked.',
        );
      }
    }
    await closeAccount(accountId);
    terminal.say(`${email} is closed. The service removes what it had, from a minute from now.`);
  };
}

if (require.main === module) void runAsProcess(accountScript);
