import { Code, Text } from '@mantine/core';
import { TextLink } from '@/app/text-link';

/** What to do about a forgotten password: by mail, or by whoever runs the service. */
export function ForgottenPassword({ isMailed }: { isMailed: boolean }) {
  return isMailed ? (
    <TextLink href="/forgot-password">Forgot your password?</TextLink>
  ) : (
    <AskForOne />
  );
}

/** Where no mails are sent. */
export function AskForOne() {
  return (
    <div>
      <Text size="sm" c="dimmed" component="div">
        Forgot your password? Ask whoever runs this service to set a new one:
      </Text>
      <Code block mt={8} ta="left" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        npm run account -- set-password --email you@example.com --password -
      </Code>
    </div>
  );
}
