'use client';
import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ArrowDown, ArrowUp, Plus, X } from '@/src/ui/components/icons';
import { ownDirection } from '@/src/ui/forms/own-direction';

/** What a space can hold. */
const maxQuestions = 100;

/** Questions in an order: added, removed, moved. */
export function QuestionsField(props: {
  questions: string[];
  onChange: (questions: string[]) => void;
}) {
  const { questions, onChange } = props;
  // Rows keep their identity while they move, or the focus would stay behind.
  const [keys, setKeys] = useState(() => questions.map((_, index) => index));
  const [focused, setFocused] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) frame.current?.querySelector<HTMLElement>(`[data-part="${focused}"]`)?.focus();
    setFocused(undefined);
  }, [focused]);

  function add() {
    const key = Math.max(-1, ...keys) + 1;
    setKeys([...keys, key]);
    onChange([...questions, '']);
    setFocused(`text-${key}`);
  }

  function remove(index: number) {
    const left = keys.filter((_, other) => other !== index);
    setKeys(left);
    onChange(questions.filter((_, other) => other !== index));
    const next = left[index] ?? left.at(-1);
    setFocused(next === undefined ? 'add' : `text-${next}`);
  }

  function move(index: number, step: 1 | -1) {
    setKeys(swapped(keys, index, index + step));
    onChange(swapped(questions, index, index + step));
  }

  return (
    <Stack gap={6} ref={frame} role="group" aria-label="Questions">
      <Input.Label labelElement="div">Questions (optional)</Input.Label>
      {questions.map((question, index) => (
        <Group key={keys[index]} gap={4} wrap="nowrap">
          <TextInput
            style={{ flex: 1 }}
            aria-label={`Question ${index + 1}`}
            data-part={`text-${keys[index]}`}
            value={question}
            maxLength={500}
            attributes={ownDirection}
            onChange={({ currentTarget: { value } }) =>
              onChange(questions.map((other, at) => (at === index ? value : other)))
            }
          />
          <MoveButton
            label={`Move question ${index + 1} up`}
            canMove={index > 0}
            onClick={() => move(index, -1)}
          >
            <ArrowUp size={16} />
          </MoveButton>
          <MoveButton
            label={`Move question ${index + 1} down`}
            canMove={index < questions.length - 1}
            onClick={() => move(index, 1)}
          >
            <ArrowDown size={16} />
          </MoveButton>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove question ${index + 1}`}
            // The second click of two meets the question that has moved up.
            onClick={({ detail }) => detail < 2 && remove(index)}
          >
            <X size={16} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} />}
          data-part="add"
          disabled={questions.length >= maxQuestions}
          onClick={add}
        >
          Add a question
        </Button>
      </Group>
    </Stack>
  );
}

/** Can be pressed at the end too, and does nothing there, so that the focus stays where it is. */
function MoveButton(props: {
  label: string;
  canMove: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={36}
      aria-label={props.label}
      aria-disabled={!props.canMove}
      data-disabled={!props.canMove || undefined}
      onClick={() => props.canMove && props.onClick()}
    >
      {props.children}
    </ActionIcon>
  );
}

function swapped<Item>(items: Item[], one: number, other: number): Item[] {
  return items.map((item, index) => {
    const from = index === one ? items[other] : index === other ? items[one] : item;
    return from ?? item;
  });
}
