import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiError, ErrorCode } from '../api/errors';

/** Answers with our error body, instead of any handler. */
export function refuse(response: ServerResponse, error: ApiError): void {
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  send(response, error.status, error.apiCode, error.message);
}

/** For a target that names no path. */
export function refuseTarget(response: ServerResponse): void {
  send(response, 400, 'VALIDATION_ERROR', 'The address of the request is not valid.');
}

/** For a request that names no host, or more than one. */
export function refuseHost(response: ServerResponse): void {
  send(response, 400, 'VALIDATION_ERROR', 'The request must have one Host header.');
}

/** For a body in a transfer coding that is not understood. */
export function refuseCoding(response: ServerResponse): void {
  send(
    response,
    501,
    'VALIDATION_ERROR',
    'The only transfer coding that is understood is chunked.',
  );
}

function send(response: ServerResponse, status: number, code: ErrorCode, message: string): void {
  const body = errorBody(code, message);
  response.writeHead(status, headersOf(body));
  // What is left of the body is thrown away by whoever has the connection.
  response.end(body);
}

/** How long a refused client has to read why, once that is sent. */
const lingerMs = 500;

const refused = new WeakSet<Duplex>();

/** Whether the connection is about to be closed: what still arrives on it must not be done. */
export function isRefused(socket: Duplex): boolean {
  return refused.has(socket);
}

/**
 * Answers on a connection that carries no request to answer, and closes it: not at once, which
 * could take the answer back from a client that still sends, and not by `end` alone, which would
 * wait for good for a peer that stays.
 */
export function refuseConnection(socket: Duplex, status: string, message: string): void {
  const body = errorBody('VALIDATION_ERROR', message);
  const headers = Object.entries({ ...headersOf(body), Connection: 'close' });
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  closeConnection(socket, `HTTP/1.1 ${status}\r\n${lines}\r\n${body}`);
}

/** The same without a word, for a connection whose requests are all answered. */
export function closeConnection(socket: Duplex, lastWords = ''): void {
  // What arrives meanwhile is no more HTTP than what came before.
  if (refused.has(socket)) return;
  refused.add(socket);
  if (socket.writable) socket.end(lastWords);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** What every answer of the service has, and what its body needs. */
function headersOf(body: string) {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
  };
}

function errorBody(code: ErrorCode, message: string): string {
  return JSON.stringify({ error: { code, message } });
}
