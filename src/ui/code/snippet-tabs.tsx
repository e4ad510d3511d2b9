'use client';
import { type KeyboardEvent, useId, useRef, useSyncExternalStore } from 'react';
import { useOrigin } from '../browser/media';
import { keep, readKept } from '../browser/web-storage';
import { CodeBlock } from './code-block';
import classes from './snippet-tabs.module.css';
import { type ApiCall, type Language, languages, snippetOf } from './snippets';

const storageName = 'snippet-language';
const changed = 'snippet-language-changed';

/** The language that this person chose last, on every page. */
function useLanguage(): [Language, (language: Language) => void] {
  const stored = useSyncExternalStore(
    (listener) => {
      window.addEventListener(changed, listener);
      return () => window.removeEventListener(changed, listener);
    },
    () => readKept('browser', storageName),
    () => null,
  );
  return [
    languages.find((language) => language === stored) ?? 'curl',
    (language) => {
      keep('browser', storageName, language);
      window.dispatchEvent(new Event(changed));
    },
  ];
}

/** What stands for a key that is shown no more: where to get one. */
function keyToFillIn(origin: string): string {
  return `<your key, from ${origin}/api-keys>`;
}

/**
 * A request in each language, to copy and run. With the key filled in where it is known, else with
 * the place where to get one.
 */
export function SnippetTabs(props: { call: ApiCall; apiKey?: string; label: string }) {
  const { call, apiKey, label } = props;
  const [language, choose] = useLanguage();
  const origin = useOrigin() ?? '';
  const id = useId();
  const list = useRef<HTMLDivElement>(null);

  function move(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: languages.length - 1 }[event.key];
    if (step === undefined) return;
    const index = (languages.indexOf(language) + step) % languages.length;
    choose(languages[index] ?? language);
    const tab = list.current?.children[index];
    if (tab instanceof HTMLElement) tab.focus();
  }

  const code = snippetOf(language, call, { origin, key: apiKey ?? keyToFillIn(origin) });
  return (
    <div>
      <div ref={list} className={classes.tabs} role="tablist" aria-label="Language">
        {languages.map((name) => (
          <button
            key={name}
            id={`${id}-${name}`}
            type="button"
            role="tab"
            className={classes.tab}
            aria-selected={name === language}
            aria-controls={`${id}-panel`}
            tabIndex={name === language ? 0 : -1}
            onClick={() => choose(name)}
            onKeyDown={move}
          >
            {name}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${language}`}>
        <CodeBlock text={code} label={label} />
      </div>
    </div>
  );
}
