'use client';
import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core';
import { useId, useRef, useState } from 'react';
import { useOrigin } from '@/src/ui/browser/media';
import { useKeptFocus } from '@/src/ui/browser/use-kept-focus';
import { CodeBlock } from '@/src/ui/code/code-block';
import { Note } from '@/src/ui/components/note';
import { ToneBadge } from '@/src/ui/components/tone-badge';
import { callAsCurl, makeCall } from './call';
import classes from './docs.module.css';
import { useKey } from './key';
import type { Parameter } from './operations';
import { type Sent, sendCall } from './send-call';

type Props = {
  title: string;
  /** The path below which the API stands. */
  mountPath: string;
  operation: { method: string; path: string; parameters: Parameter[] };
  bodyExample?: string;
};

/** The request as a command to copy, and, once it is opened, as a form that sends it. */
export function TryIt({ title, mountPath, operation, bodyExample }: Props) {
  const origin = useOrigin() ?? '';
  const key = useKey();
  const [isOpen, setIsOpen] = useState(false);
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(bodyExample);
  const [sent, setSent] = useState<Sent>();
  const [isSending, setIsSending] = useState(false);
  const keepFocus = useKeptFocus(isSending);
  // Known at once, where `isSending` is told once all is drawn: two clicks are to send it once.
  const underWay = useRef<AbortController>(undefined);
  const formId = useId();
  const command = callAsCurl(
    makeCall(`${origin}${mountPath}`, operation, values, { key: '$KEY', body }),
  );
  const send = async () => {
    if (underWay.current) return;
    const stopping = new AbortController();
    underWay.current = stopping;
    keepFocus();
    setIsSending(true);
    // Always of this service, whatever address it is published under.
    const call = makeCall(mountPath, operation, values, { key, body });
    setSent(await sendCall(call, stopping.signal));
    underWay.current = undefined;
    setIsSending(false);
  };
  return (
    <div>
      <Group justify="space-between" mb={8}>
        <h4 className={classes.tight}>Request</h4>
        <Button
          size="xs"
          variant="default"
          aria-label={`Try it: ${title}`}
          aria-expanded={isOpen}
          aria-controls={formId}
          onClick={() => setIsOpen(!isOpen)}
        >
          Try it
        </Button>
      </Group>
      <CodeBlock text={command} label={`curl for ${title}`} />
      <div id={formId}>
        {isOpen && (
          <form
            className={classes.form}
            aria-label={title}
            onSubmit={(event) => {
              event.preventDefault();
              void send();
            }}
          >
            <Stack gap="sm">
              {operation.parameters.map((parameter) => (
                <ParameterField
                  key={parameter.name}
                  parameter={parameter}
                  value={values[parameter.name] ?? ''}
                  onChange={(value) => setValues({ ...values, [parameter.name]: value })}
                />
              ))}
              {body !== undefined && (
                <Textarea
                  label="Body"
                  value={body}
                  onChange={(event) => setBody(event.currentTarget.value)}
                  rows={8}
                  spellCheck={false}
                  classNames={{ input: classes.body }}
                />
              )}
              {!key && (
                <Note tone="warning">Type in an API key above, or the answer is a 401.</Note>
              )}
              <Group gap="xs">
                <Button type="submit" size="xs" loading={isSending} style={{ flexGrow: 1 }}>
                  Send
                </Button>
                {isSending && (
                  <Button size="xs" variant="default" onClick={() => underWay.current?.abort()}>
                    Stop
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        )}
      </div>
      {/* Read out; headers and a body, which may be long, are there to be gone to. */}
      <div role="status">{sent && <Outcome sent={sent} />}</div>
      {sent && 'headers' in sent && (
        <Stack gap="xs" mt="xs">
          <CodeBlock text={sent.headers} label={`headers of the answer to ${title}`} />
          {sent.body && <CodeBlock text={sent.body} label={`answer to ${title}`} />}
        </Stack>
      )}
    </div>
  );
}

function ParameterField(props: {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}) {
  const { parameter, value, onChange } = props;
  const shared = {
    label: parameter.name,
    size: 'xs',
    required: parameter.isRequired,
    value,
  };
  if (parameter.options.length > 0) {
    return (
      <NativeSelect
        {...shared}
        data={[{ value: '', label: '—' }, ...parameter.options]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      placeholder={parameter.type}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Outcome({ sent }: { sent: Sent }) {
  if ('failure' in sent) {
    return (
      <Stack mt="sm">
        <Note tone="bad">{sent.failure}</Note>
      </Stack>
    );
  }
  return (
    <Group gap="xs" mt="sm">
      <ToneBadge tone={sent.status < 400 ? 'good' : 'bad'}>
        {sent.status} {sent.statusText}
      </ToneBadge>{' '}
      <span className={classes.fieldType}>{sent.durationMs} ms</span>
    </Group>
  );
}
