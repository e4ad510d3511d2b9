import type { Answer, RateLimit } from './answer.ts';
import { Call } from './call.ts';
import { EventFeed, type FollowOptions, waitSeconds } from './feed.ts';
import type { ListEventsResponseBody, Space, Testimonial } from './schema.ts';
import { type TestimonialsOptions, Transport } from './transport.ts';
import type {
  Input,
  Method,
  Operation,
  OperationAt,
  Operations,
  PathOf,
  RequestOptions,
} from './types.ts';
import { walk } from './walk.ts';

/** The filters and the sorting of a list. */
type ListQuery<P extends PathOf<'GET'>> = Omit<Input<OperationAt<'GET', P>>, 'cursor' | 'offset'>;

/**
 * The Testimonials API, with a method for each operation of the reference, by its name. A method
 * takes one object with all that the operation takes, and resolves to the answer's body.
 */
export class Testimonials implements Operations {
  readonly #transport: Transport;

  constructor(options: TestimonialsOptions) {
    this.#transport = new Transport(options);
  }

  // One line for each operation of the document. The compiler asks for one that is missing.

  /** The testimonials of all spaces, newest first unless sorted otherwise: one page. */
  readonly listTestimonials = this.#call('GET', '/testimonials');
  readonly createTestimonial = this.#call('POST', '/testimonials');
  readonly getTestimonial = this.#call('GET', '/testimonials/{id}');
  readonly updateTestimonial = this.#call('PATCH', '/testimonials/{id}');
  readonly deleteTestimonial = this.#call('DELETE', '/testimonials/{id}');
  /** Sets the status of up to 100. */
  readonly updateTestimonialBatch = this.#call('POST', '/testimonials/batch/update');
  /** Deletes up to 100. */
  readonly deleteTestimonialBatch = this.#call('POST', '/testimonials/batch/delete');
  /** Brings up to 1,000, with their dates and the ids that another system has for them. */
  readonly importTestimonials = this.#call('POST', '/imports');
  readonly listSpaces = this.#call('GET', '/spaces');
  readonly createSpace = this.#call('POST', '/spaces');
  readonly getSpace = this.#call('GET', '/spaces/{id}');
  readonly updateSpace = this.#call('PATCH', '/spaces/{id}');
  /** Deletes the space and all of its testimonials. */
  readonly deleteSpace = this.#call('DELETE', '/spaces/{id}');
  /** One page of the feed; `followEvents` goes on. */
  readonly listEvents = this.#call('GET', '/events');
  readonly getEvent = this.#call('GET', '/events/{id}');
  readonly listWebhookEndpoints = this.#call('GET', '/webhook-endpoints');
  /** Its answer alone has the signing secret. */
  readonly createWebhookEndpoint = this.#call('POST', '/webhook-endpoints');
  readonly getWebhookEndpoint = this.#call('GET', '/webhook-endpoints/{id}');
  readonly updateWebhookEndpoint = this.#call('PATCH', '/webhook-endpoints/{id}');
  readonly deleteWebhookEndpoint = this.#call('DELETE', '/webhook-endpoints/{id}');
  /** Sends an event that is marked as a test. */
  readonly testWebhookEndpoint = this.#call('POST', '/webhook-endpoints/{id}/test');
  readonly rotateWebhookEndpointSecret = this.#call(
    'POST',
    '/webhook-endpoints/{id}/rotate-secret',
  );
  readonly getWebhookDelivery = this.#call('GET', '/webhook-deliveries/{id}');
  /** What the key may do, and where its account stands. */
  readonly getMe = this.#call('GET', '/me');

  /** Where the account stood in its rate limit at the last answer. */
  get rateLimit(): RateLimit | undefined {
    return this.#transport.rateLimit;
  }

  /**
   * Every testimonial that fits, whatever comes and goes meanwhile. What moves, because what is filtered
   * or sorted by changes, may be missed or come twice.
   */
  iterateTestimonials(
    query: ListQuery<'/testimonials'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Testimonial, void, undefined> {
    return walk((page) => this.listTestimonials(page, options), query);
  }

  /** Every space, whatever comes and goes meanwhile; sorted by `updated_at`, as `iterateTestimonials`. */
  iterateSpaces(
    query: ListQuery<'/spaces'> = {},
    options?: RequestOptions,
  ): AsyncGenerator<Space, void, undefined> {
    return walk((page) => this.listSpaces(page, options), query);
  }

  /**
   * The events after a cursor, and those to come, without end. Lost connections, a service that is
   * away and a used-up rate limit are waited out.
   * @throws CursorExpiredError while it is read, where events behind the cursor are gone
   */
  followEvents(options: FollowOptions = {}): EventFeed {
    const { signal } = options;
    const timeoutMs = this.#transport.timeoutMs + waitSeconds * 1000;
    const patience = { maxAttempts: Infinity, totalTimeoutMs: Infinity };
    const send = (query: object): Promise<Answer<ListEventsResponseBody>> =>
      this.#transport.send('GET', '/events', query, { signal, timeoutMs }, patience);
    return new EventFeed(async (query) => (await send(query)).body, options);
  }

  #call<M extends Method, P extends PathOf<M>>(method: M, path: P): Operation<M, P> {
    return (...[input, options]) => new Call(this.#transport.send(method, path, input, options));
  }
}
