import { mountPath } from '@/src/operations';
import { CodeBlock } from '@/src/ui/code/code-block';
import classes from './docs.module.css';
import { FieldList } from './field-list';
import type { Answer, Operation } from './operations';
import { Prose } from './prose';
import { TryIt } from './try-it';

/** One operation: what it takes, what it answers, and the request to copy or to send. */
export function OperationSection({ operation }: { operation: Operation }) {
  const { id, title, method, path, description, parameters, body, answers } = operation;
  const isWebhook = !path.startsWith('/');
  return (
    <article className={classes.operation} id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>{title}</h3>
      <p className={classes.signature}>
        <span className={classes.method} data-method={method}>
          {method}
        </span>{' '}
        <code>{isWebhook ? path : `${mountPath}${path}`}</code>
      </p>
      <Prose text={description} />
      <div className={classes.halves}>
        <div>
          {parameters.length > 0 && (
            <>
              <h4>{isWebhook ? 'Headers' : 'Parameters'}</h4>
              <FieldList fields={parameters} />
            </>
          )}
          {body && (
            <>
              <h4>Body</h4>
              <FieldList fields={body.fields} />
            </>
          )}
          <h4>{isWebhook ? 'Your answer' : 'Answers'}</h4>
          <ul className={classes.answers}>
            {answers.map((answer) => (
              <AnswerLine key={answer.status} answer={answer} />
            ))}
          </ul>
        </div>
        <div className={classes.examples}>
          {isWebhook ? (
            body?.example && (
              <>
                <h4>Example</h4>
                <CodeBlock text={body.example} label={`body of ${path}`} />
              </>
            )
          ) : (
            <>
              <TryIt
                title={title}
                mountPath={mountPath}
                operation={{ method, path, parameters }}
                bodyExample={body?.example}
              />
              {answers.map((answer) => (
                <Example key={answer.status} answer={answer} title={title} />
              ))}
            </>
          )}
        </div>
      </div>
    </article>
  );
}

function AnswerLine({ answer: { status, description, body } }: { answer: Answer }) {
  return (
    <li>
      <code className={classes.status}>{status}</code>
      <Prose text={description} />
      {body && body.fields.length > 0 && (
        <details className={classes.inner}>
          <summary>Fields of the {status}</summary>
          <FieldList fields={body.fields} />
        </details>
      )}
    </li>
  );
}

function Example({ answer: { status, body }, title }: { answer: Answer; title: string }) {
  if (!body?.example) return null;
  return (
    <>
      <h4>Example of a {status}</h4>
      <CodeBlock text={body.example} label={`${status} of ${title}`} />
    </>
  );
}
