/** `npm run --silent account -- create …`: accounts, from the command line. */
import { z } from 'zod';
import { createAccount } from '../accounts/accounts';
import { emailOption, nameOption, passwordOption, readPassword } from './options';
import { readOptions, runAsProcess, type Script, UsageError } from './script';

export const accountScript: Script = {
  usage: `Creates an account and prints its id.

  npm run --silent account -- create --email you@example.com --password <password> [--name <name>]

  --email     the address to sign in with
  --password  8 to 128 characters; "-" reads it from standard input, so that it appears neither
              in the list of processes nor in the shell's history
  --name      what the account is called; the e-mail address where left out

The account is made in the database that DATABASE_URL names, else in the embedded one, also while
the service runs.`,

  async read([command, ...args], terminal) {
    if (command !== 'create') throw new UsageError('Say what to do: "account -- create".');
    const { email, name, ...given } = readOptions(args, createOptions);
    const password = await readPassword(given.password, terminal);
    return async () => terminal.print(await createAccount({ email, password, name }));
  },
};

const createOptions = z.object({
  email: emailOption,
  password: passwordOption,
  name: nameOption.optional(),
});

if (require.main === module) void runAsProcess(accountScript);
