import type { Metadata } from 'next';
import type { OpenAPIObject } from 'openapi3-ts/oas31';
import { TextLink } from '@/app/text-link';
import { openApiDocument } from '@/src/rest/openapi/document';
import { Logo } from '@/src/ui/components/logo';
import { SkipLink } from '@/src/ui/components/skip-link';
import classes from './docs.module.css';
import { KeyField, KeyProvider } from './key';
import { OperationSection } from './operation-section';
import { readSections, type Section } from './operations';
import { Prose } from './prose';

export const metadata: Metadata = { title: 'API reference' };

// The document names the address and the limits of the service that runs, not of the one that builds.
export const dynamic = 'force-dynamic';

let read: { document: OpenAPIObject; sections: Section[] } | undefined;

function readDocument(): { document: OpenAPIObject; sections: Section[] } {
  if (!read) {
    const document: OpenAPIObject = JSON.parse(openApiDocument());
    read = { document, sections: readSections(document) };
  }
  return read;
}

/** The published document as a page to read and to try out. */
export default function DocsPage() {
  const { document, sections } = readDocument();
  return (
    <KeyProvider>
      <SkipLink />
      <header className={classes.bar}>
        <Logo size={22} />
        <span className={classes.brand}>API reference</span>
        <a href="/api/v1/openapi.json">OpenAPI</a>
        <a href="/llms.txt">llms.txt</a>
        <TextLink href="/">Dashboard</TextLink>
      </header>
      <div className={classes.columns}>
        <Contents sections={sections} />
        <main id="content" tabIndex={-1} className={classes.content}>
          <h1>{document.info.title}</h1>
          <p className={classes.version}>Version {document.info.version}</p>
          <Prose text={document.info.description ?? ''} />
          <KeyField />
          {sections.map(({ title, description, operations }) => (
            <section key={title} aria-label={title}>
              <h2>{title}</h2>
              <Prose text={description} />
              {operations.map((operation) => (
                <OperationSection key={operation.id} operation={operation} />
              ))}
            </section>
          ))}
        </main>
      </div>
    </KeyProvider>
  );
}

/** Folded where it would stand before the text. */
function Contents({ sections }: { sections: Section[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <nav className={classes.contents} aria-label="Operations" tabIndex={0}>
      <details className={classes.contentsFold}>
        <summary>Operations</summary>
        {sections.map(({ title, operations }) => (
          <div key={title}>
            <p className={classes.contentsTitle}>{title}</p>
            <ul>
              {operations.map(({ id, title }) => (
                <li key={id}>
                  <a href={`#${id}`}>{title}</a>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </details>
    </nav>
  );
}
