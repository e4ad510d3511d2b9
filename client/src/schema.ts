// Made by `npm run generate`, of the document with the SHA-256 cfe4f80cc300f6402ec9e07fc1756130ce4c4ccfacde72b0dfd4d10aed18423a.

export interface paths {
    "/testimonials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List testimonials
         * @description Across every space of the account, newest first unless sorted otherwise. Needs the scope `read`.
         */
        get: operations["listTestimonials"];
        put?: never;
        /**
         * Create a testimonial
         * @description Fires `testimonial.created`. A video whose `video_url` leads straight to a file is transcribed before the answer, which is the row as inserted; read it again for the transcript. One that a passing fault keeps from it is tried again for a day. Needs the scope `write`.
         */
        post: operations["createTestimonial"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/testimonials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a testimonial
         * @description Needs the scope `read`.
         */
        get: operations["getTestimonial"];
        put?: never;
        post?: never;
        /**
         * Delete a testimonial
         * @description Fires `testimonial.deleted`, and removes its uploaded avatar, video and thumbnail. Needs the scope `delete`.
         */
        delete: operations["deleteTestimonial"];
        options?: never;
        head?: never;
        /**
         * Update a testimonial
         * @description At least one field is required; unknown fields are ignored. Setting the status to `approved` or `rejected` fires the matching event, and no other; any other change fires `testimonial.updated`. Needs the scope `write`.
         */
        patch: operations["updateTestimonial"];
        trace?: never;
    };
    "/testimonials/batch/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the status of up to 100 testimonials
         * @description Ids that do not exist or belong to another account are skipped. `approved` and `rejected` fire their event once per testimonial. Needs the scope `write`.
         */
        post: operations["updateTestimonialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/testimonials/batch/delete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete up to 100 testimonials
         * @description Ids that do not exist or belong to another account are skipped. Fires `testimonial.deleted` once per testimonial. Uploaded files stay in storage. Needs the scope `delete`.
         */
        post: operations["deleteTestimonialBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List spaces
         * @description Newest first unless sorted otherwise; `rating` and `shares` sort by creation. Needs the scope `read`.
         */
        get: operations["listSpaces"];
        put?: never;
        /**
         * Create a space
         * @description Needs the scope `write`.
         */
        post: operations["createSpace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/spaces/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a space
         * @description Needs the scope `read`.
         */
        get: operations["getSpace"];
        put?: never;
        post?: never;
        /**
         * Delete a space and its testimonials
         * @description Answers 204 also where the account has no such space. Fires `space.deleted`, and nothing for its testimonials. Needs the scope `delete`.
         */
        delete: operations["deleteSpace"];
        options?: never;
        head?: never;
        /**
         * Update a space
         * @description At least one field is required; unknown fields are ignored. Needs the scope `write`.
         */
        patch: operations["updateSpace"];
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the events
         * @description Every event of the account, of all types, in the order in which the changes were made, and the same to everybody: none ever comes before one that was read. They are kept for 30 days; a cursor behind which events are gone answers 410 `CURSOR_EXPIRED`. To keep a copy: take a cursor with `after=latest`, list everything, and follow the feed from that cursor. With `wait`, a request for what is not there yet is answered when it comes. Needs the scope `read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an event
         * @description Needs the scope `read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import up to 1000 testimonials
         * @description Brings testimonials from elsewhere, with their dates, in one request of the limit. The body may have 8 MiB. Each item is created, updated or skipped by itself, and one that is not valid refuses no other: see `data`, in the order of the items.
         *
         *     An item with an `external_id` is created once, however often it is sent. One without is created each time: send an `Idempotency-Key` with those. Of several items with the same `external_id` the first counts, and the others are invalid.
         *
         *     With `on_duplicate: update`, the fields that an item gives are set, and what it leaves out stays. Where nothing would change it is skipped, so that an import may be repeated each night. A status that changes fires its event, any other change `testimonial.updated`; what is new fires `testimonial.created`, dated now, with the dates of the row in its data. `updated_at` is the moment of the import.
         *
         *     Videos are transcribed after the answer, unless they bring an `ai_transcript`. With `Prefer: handling=strict`, an item with unknown fields is invalid. Needs the scope `write`.
         */
        post: operations["importTestimonials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe the key and its account
         * @description For checking a key: whose it is, what it may do, and what is left of the limit. Any key will do.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Newest first, with how their deliveries fare. Needs the scope `read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description From the next change on, the URL is sent the events of the chosen types. The answer has the signing secret, which is told here and by a rotation, and nowhere else. An account may have 10 endpoints; one more answers 409 `LIMIT_EXCEEDED`. Needs the scopes `read` and `write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook endpoint
         * @description Needs the scope `read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Nothing more is sent to it, and the log of its deliveries goes with it. Needs the scope `delete`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update, pause or resume a webhook endpoint
         * @description At least one field is required; unknown fields are ignored. Paused, it gets no new deliveries, and what is pending waits. Resumed, or sent elsewhere, it starts without its failures. Needs the scopes `read` and `write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description A made-up event, signed like a real one and marked with `is_test`. It is sent once, after this answer. A failed one is not among `failure_count`, but a 410 switches the endpoint off as ever; `last_day` counts it. `GET /webhook-deliveries/{id}` says what became of it. The body may be left out. Needs the scopes `read` and `write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing secret of a webhook endpoint
         * @description The answer has the new secret, which is told this once. The old one signs beside it for 24 hours, so that a receiver can be changed over without losing a delivery. Rotating again within that time ends the older one at once: only the secret before the last rotation is kept. It takes no body. Needs the scopes `read` and `write`.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook-deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with its attempts
         * @description What was sent to an endpoint, and what it answered to the newest 50 attempts. Kept for 30 days. Needs the scope `read`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ImportedTestimonial: {
            /**
             * Format: uuid
             * @description One of your spaces.
             */
            space_id: string;
            /** @enum {string} */
            type: "text" | "video";
            submitter_name: string;
            /** Format: email */
            submitter_email: string;
            submitter_company?: string;
            submitter_role?: string;
            /** Format: uri */
            submitter_avatar_url?: string;
            text_content?: string;
            /**
             * Format: uri
             * @description Publicly reachable URL of the video file; transcribed where direct.
             */
            video_url?: string;
            /** Format: uri */
            video_thumbnail_url?: string;
            /** Format: int32 */
            rating?: number;
            /**
             * @description Of a new testimonial `pending` where left out.
             * @enum {string}
             */
            status?: "pending" | "approved" | "rejected";
            /** @description What your system calls it, unique in your account. By it the same import, sent again, creates nothing. */
            external_id?: string;
            /**
             * Format: date-time
             * @description When it was given, in the past, the year 1 at the earliest, with `Z` or an offset: history keeps its dates. The moment of the import where left out.
             */
            created_at?: string;
            /** @description The transcript of a video, where you have one: it is not made again. */
            ai_transcript?: string;
        };
        Testimonial: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The space the testimonial belongs to.
             */
            space_id: string;
            /**
             * Format: uuid
             * @description The account that owns the testimonial.
             */
            user_id: string;
            /** @enum {string} */
            type: "text" | "video";
            /**
             * @description Moderation status.
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected";
            submitter_name: string;
            submitter_email: string | null;
            submitter_company: string | null;
            submitter_role: string | null;
            submitter_avatar_url: string | null;
            /** @description Replaced by the transcript once a video is transcribed. */
            text_content: string | null;
            video_url: string | null;
            video_thumbnail_url: string | null;
            /** Format: int32 */
            rating: number | null;
            /** @description Transcript of a video testimonial, once transcribed. */
            ai_transcript: string | null;
            /** Format: int32 */
            shares: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What another system calls it. There alone where an import has given one. */
            external_id?: string;
            /**
             * @description Of a video: `pending` while a transcript may still come, then `done` or `failed`; `none` of what is not transcribed. In a list, and of one testimonial, only with `include=transcription`.
             * @enum {string}
             */
            transcription?: "none" | "pending" | "done" | "failed";
            /** @description The language of the transcript as the speech-to-text service calls it, where it does. As `transcription`, only where asked for. */
            language?: string | null;
        };
        Pagination: {
            /**
             * Format: int32
             * @description Items that match the filters, across all pages.
             */
            total: number;
            /** Format: int32 */
            limit: number;
            /** @description Of a page by cursor, 0. */
            offset: number;
            /** @description True exactly when offset + limit < total; of a page by cursor, when there is a next one. */
            has_more: boolean;
            /** @description Of a page by cursor alone: the cursor of the next; null on the last. */
            next_cursor?: string | null;
        };
        Space: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The account that owns the space.
             */
            user_id: string;
            name: string;
            /** @description Made of the name, once. Unique in the service. */
            slug: string;
            description: string | null;
            logo_url: string | null;
            primary_color: string | null;
            custom_questions: string[] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        FeedPagination: {
            /** @description The `after` of the next request, also where no event came. Keep it. */
            next_cursor: string;
            /** @description Whether the feed goes on after `next_cursor`: ask again at once. With `types`, a page may be empty and the feed go on. */
            has_more: boolean;
        };
        ImportResult: {
            /**
             * @description `skipped`: its `external_id` is there already, and nothing was to be changed. `invalid`: nothing was done, see `errors`.
             * @enum {string}
             */
            result: "created" | "updated" | "skipped" | "invalid";
            /**
             * Format: uuid
             * @description The id of the testimonial; absent where the item is `invalid`.
             */
            id?: string;
            /** @description As given, where it is one. */
            external_id?: string;
            /** @description Of an `invalid` item alone: what is wrong, never the value. */
            errors?: components["schemas"]["ImportError"][];
        };
        ImportError: {
            /** @description The field that is wrong; absent where the item as a whole is. */
            field?: string;
            /** @description What is wrong with it, for a person. */
            message: string;
        };
        Self: {
            /** Format: uuid */
            account_id: string;
            /**
             * @description Of a key made in test mode, which reaches test data alone.
             * @enum {string}
             */
            mode?: "test";
            /** @enum {string} */
            plan: "free" | "paid";
            key: {
                name: string;
                /** @description The prefix and the last four characters. */
                hint: string;
                scopes: ("read" | "write" | "delete")[];
                /**
                 * Format: date-time
                 * @description Null for a key that never does.
                 */
                expires_at: string | null;
            };
            /** @description Of the account, this request counted. */
            rate_limit: {
                /** Format: int32 */
                limit: number;
                /** Format: int32 */
                remaining: number;
                /**
                 * Format: date-time
                 * @description End of the window; null between two windows.
                 */
                reset_at: string | null;
            };
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            event_types: ("testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted")[];
            /**
             * @description `paused` by you, `switched_off` by the service. Neither is sent anything.
             * @enum {string}
             */
            status: "enabled" | "paused" | "switched_off";
            /** @description Why it was switched off: it answered 410 (`gone`), or failed for days (`failing`). */
            disabled_reason: ("gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first of an unbroken row of failed attempts.
             */
            failing_since: string | null;
            /**
             * Format: int32
             * @description How many there are in that row.
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation signs too, and no older one.
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The deliveries created in the last 24 hours, tests among them; where there are more, the newest 10,000. */
            last_day: {
                /** Format: int32 */
                pending: number;
                /** Format: int32 */
                succeeded: number;
                /** Format: int32 */
                failed: number;
                /** @description Succeeded of those tried at least once, 0 to 1; null where none was tried. */
                success_share: number | null;
            };
            /** @description The newest one. */
            last_delivery: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "pending" | "succeeded" | "failed";
                /** Format: date-time */
                created_at: string;
            } | null;
        };
        WebhookEndpointWithSecret: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            event_types: ("testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted")[];
            /**
             * @description `paused` by you, `switched_off` by the service. Neither is sent anything.
             * @enum {string}
             */
            status: "enabled" | "paused" | "switched_off";
            /** @description Why it was switched off: it answered 410 (`gone`), or failed for days (`failing`). */
            disabled_reason: ("gone" | "failing") | null;
            /**
             * Format: date-time
             * @description The first of an unbroken row of failed attempts.
             */
            failing_since: string | null;
            /**
             * Format: int32
             * @description How many there are in that row.
             */
            failure_count: number;
            /**
             * Format: date-time
             * @description Until then the secret before the last rotation signs too, and no older one.
             */
            previous_secret_expires_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description The deliveries created in the last 24 hours, tests among them; where there are more, the newest 10,000. */
            last_day: {
                /** Format: int32 */
                pending: number;
                /** Format: int32 */
                succeeded: number;
                /** Format: int32 */
                failed: number;
                /** @description Succeeded of those tried at least once, 0 to 1; null where none was tried. */
                success_share: number | null;
            };
            /** @description The newest one. */
            last_delivery: {
                /** Format: uuid */
                id: string;
                /** @enum {string} */
                state: "pending" | "succeeded" | "failed";
                /** Format: date-time */
                created_at: string;
            } | null;
            /** @description The signing secret, `whsec_` and base64. This answer alone has it: store it where you verify. */
            secret: string;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            event_type: "testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted";
            is_test: boolean;
            /**
             * Format: uuid
             * @description The testimonial or space that the event is about.
             */
            resource_id: string;
            /** @description Who submitted the testimonial, or the name of the space, as the event tells it. */
            resource_name: string | null;
            /** @enum {string} */
            state: "pending" | "succeeded" | "failed";
            /** Format: int32 */
            attempt_count: number;
            /**
             * Format: int32
             * @description Of the last attempt.
             */
            response_status: number | null;
            /** @description What was wrong with the last attempt; null where nothing was. */
            error_class: ("url_refused" | "address_refused" | "dns" | "connection" | "tls" | "timeout" | "invalid_answer" | "redirect" | "status" | "interrupted" | "signing_secret") | null;
            /**
             * Format: date-time
             * @description Null unless pending; in the past while it is being sent, waits its turn, or is paused.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookDeliveryWithAttempts: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            endpoint_id: string;
            /** Format: uuid */
            event_id: string;
            /** @enum {string} */
            event_type: "testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted";
            is_test: boolean;
            /**
             * Format: uuid
             * @description The testimonial or space that the event is about.
             */
            resource_id: string;
            /** @description Who submitted the testimonial, or the name of the space, as the event tells it. */
            resource_name: string | null;
            /** @enum {string} */
            state: "pending" | "succeeded" | "failed";
            /** Format: int32 */
            attempt_count: number;
            /**
             * Format: int32
             * @description Of the last attempt.
             */
            response_status: number | null;
            /** @description What was wrong with the last attempt; null where nothing was. */
            error_class: ("url_refused" | "address_refused" | "dns" | "connection" | "tls" | "timeout" | "invalid_answer" | "redirect" | "status" | "interrupted" | "signing_secret") | null;
            /**
             * Format: date-time
             * @description Null unless pending; in the past while it is being sent, waits its turn, or is paused.
             */
            next_attempt_at: string | null;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description What the last attempt sent, or the first would now, without the signature. */
            request_headers: string[][];
            /** @description The exact body that is sent. */
            payload: string;
            /** @description The newest 50, the oldest of them first. */
            attempts: components["schemas"]["WebhookAttempt"][];
        };
        WebhookAttempt: {
            /** Format: int32 */
            number: number;
            /** Format: date-time */
            started_at: string;
            /** Format: int32 */
            duration_ms: number;
            /** Format: int32 */
            response_status: number | null;
            error_class: ("url_refused" | "address_refused" | "dns" | "connection" | "tls" | "timeout" | "invalid_answer" | "redirect" | "status" | "interrupted" | "signing_secret") | null;
            /** @description Of the answer, up to 64 of them and 8 KiB; null where none came or none were kept. */
            response_headers: string[][] | null;
            /** @description The first 16 KiB of the answer; null where none came or none was kept. */
            response_body: string | null;
            /** @description Where it went; null for attempts from before this was kept. */
            url: string | null;
        };
        /** @description A testimonial was created */
        TestimonialCreatedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "testimonial.created";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["Testimonial"];
        };
        /** @description A testimonial was approved */
        TestimonialApprovedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "testimonial.approved";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["TestimonialStatusChange"];
        };
        TestimonialStatusChange: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The space the testimonial belongs to.
             */
            space_id: string;
            /**
             * Format: uuid
             * @description The account that owns the testimonial.
             */
            user_id: string;
            /** @enum {string} */
            type: "text" | "video";
            /**
             * @description Moderation status.
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected";
            submitter_name: string;
            submitter_email: string | null;
            submitter_company: string | null;
            submitter_role: string | null;
            submitter_avatar_url: string | null;
            /** @description Replaced by the transcript once a video is transcribed. */
            text_content: string | null;
            video_url: string | null;
            video_thumbnail_url: string | null;
            /** Format: int32 */
            rating: number | null;
            /** @description Transcript of a video testimonial, once transcribed. */
            ai_transcript: string | null;
            /** Format: int32 */
            shares: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What another system calls it. There alone where an import has given one. */
            external_id?: string;
            /**
             * @description Of a video: `pending` while a transcript may still come, then `done` or `failed`; `none` of what is not transcribed. In a list, and of one testimonial, only with `include=transcription`.
             * @enum {string}
             */
            transcription?: "none" | "pending" | "done" | "failed";
            /** @description The language of the transcript as the speech-to-text service calls it, where it does. As `transcription`, only where asked for. */
            language?: string | null;
            /**
             * @description What the status was before; the same where it was not set, or to what it was.
             * @enum {string}
             */
            previous_status: "pending" | "approved" | "rejected";
        };
        /** @description A testimonial was rejected */
        TestimonialRejectedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "testimonial.rejected";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["TestimonialStatusChange"];
        };
        /** @description A testimonial was deleted */
        TestimonialDeletedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "testimonial.deleted";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["Testimonial"];
        };
        /** @description A testimonial was changed otherwise, set to `pending`, transcribed, or will not be */
        TestimonialUpdatedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "testimonial.updated";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["TestimonialChange"];
        };
        TestimonialChange: {
            /** Format: uuid */
            id: string;
            /**
             * Format: uuid
             * @description The space the testimonial belongs to.
             */
            space_id: string;
            /**
             * Format: uuid
             * @description The account that owns the testimonial.
             */
            user_id: string;
            /** @enum {string} */
            type: "text" | "video";
            /**
             * @description Moderation status.
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected";
            submitter_name: string;
            submitter_email: string | null;
            submitter_company: string | null;
            submitter_role: string | null;
            submitter_avatar_url: string | null;
            /** @description Replaced by the transcript once a video is transcribed. */
            text_content: string | null;
            video_url: string | null;
            video_thumbnail_url: string | null;
            /** Format: int32 */
            rating: number | null;
            /** @description Transcript of a video testimonial, once transcribed. */
            ai_transcript: string | null;
            /** Format: int32 */
            shares: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** @description What another system calls it. There alone where an import has given one. */
            external_id?: string;
            /**
             * @description Of a video: `pending` while a transcript may still come, then `done` or `failed`; `none` of what is not transcribed. In a list, and of one testimonial, only with `include=transcription`.
             * @enum {string}
             */
            transcription: "none" | "pending" | "done" | "failed";
            /** @description The language of the transcript as the speech-to-text service calls it, where it does. As `transcription`, only where asked for. */
            language: string | null;
            /**
             * @description What the status was before; the same where it was not set, or to what it was.
             * @enum {string}
             */
            previous_status: "pending" | "approved" | "rejected";
        };
        /** @description A space was created */
        SpaceCreatedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "space.created";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["Space"];
        };
        /** @description A space was changed */
        SpaceUpdatedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "space.updated";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["Space"];
        };
        /** @description A space was deleted, and all of its testimonials with it, which have no events of their own */
        SpaceDeletedEvent: {
            /**
             * Format: uuid
             * @description Stays the same over retries; use it to drop duplicates.
             */
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "space.deleted";
            /**
             * Format: date-time
             * @description When the event happened.
             */
            timestamp: string;
            /**
             * Format: int32
             * @description Counts the events of one testimonial or space from 1, also those that you have not chosen. Deliveries may overtake each other: drop one whose sequence is lower than the last you handled.
             */
            sequence: number;
            /**
             * @description Sent by hand to try the endpoint out; nothing changed.
             * @enum {boolean}
             */
            is_test?: true;
            data: components["schemas"]["Space"];
        };
        /** @description An event, by its type. Ignore types you do not know. */
        WebhookEvent: components["schemas"]["TestimonialCreatedEvent"] | components["schemas"]["TestimonialApprovedEvent"] | components["schemas"]["TestimonialRejectedEvent"] | components["schemas"]["TestimonialDeletedEvent"] | components["schemas"]["TestimonialUpdatedEvent"] | components["schemas"]["SpaceCreatedEvent"] | components["schemas"]["SpaceUpdatedEvent"] | components["schemas"]["SpaceDeletedEvent"];
        ErrorResponse: {
            error: {
                /** @description Decide by this; handle one that you do not know by the HTTP status. */
                code: "UNAUTHORIZED" | "INVALID_API_KEY" | "API_KEY_DISABLED" | "API_KEY_EXPIRED" | "RATE_LIMIT_EXCEEDED" | "INSUFFICIENT_SCOPE" | "VALIDATION_ERROR" | "INTERNAL_ERROR" | "SPACE_NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "OVERLOADED" | "QUOTA_EXCEEDED" | "IDEMPOTENCY_KEY_IN_USE" | "IDEMPOTENCY_KEY_REUSED" | "TESTIMONIAL_NOT_FOUND" | "CURSOR_EXPIRED" | "EVENT_NOT_FOUND" | "LIMIT_EXCEEDED" | "WEBHOOK_ENDPOINT_NOT_FOUND" | "WEBHOOK_ENDPOINT_PAUSED" | "DELIVERY_NOT_FOUND" | "INVALID_ENDPOINT" | "METHOD_NOT_ALLOWED" | (string & {});
                /** @description For people; may change. */
                message: string;
                /** @description What belongs to the code; the examples show it. */
                details?: unknown;
            };
        };
        ListTestimonialsResponseBody: {
            data: components["schemas"]["Testimonial"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreateTestimonialRequest: {
            /**
             * Format: uuid
             * @description One of your spaces.
             */
            space_id: string;
            /** @enum {string} */
            type: "text" | "video";
            submitter_name: string;
            /** Format: email */
            submitter_email: string;
            submitter_company?: string;
            submitter_role?: string;
            /** Format: uri */
            submitter_avatar_url?: string;
            text_content?: string;
            /**
             * Format: uri
             * @description Publicly reachable URL of the video file; transcribed where direct.
             */
            video_url?: string;
            /** Format: uri */
            video_thumbnail_url?: string;
            /** Format: int32 */
            rating?: number;
            /**
             * @default pending
             * @enum {string}
             */
            status?: "pending" | "approved" | "rejected";
        };
        CreateTestimonialResponseBody: {
            data: components["schemas"]["Testimonial"];
        };
        GetTestimonialResponseBody: {
            data: components["schemas"]["Testimonial"];
        };
        UpdateTestimonialRequest: {
            /** @enum {string} */
            status?: "pending" | "approved" | "rejected";
            text_content?: string;
            /** Format: int32 */
            rating?: number;
            submitter_company?: string;
            submitter_role?: string;
        };
        UpdateTestimonialResponseBody: {
            data: components["schemas"]["Testimonial"];
        };
        UpdateTestimonialBatchRequest: {
            /** @description Those that are not yours are skipped. */
            testimonial_ids: string[];
            /** @enum {string} */
            status: "pending" | "approved" | "rejected";
        };
        UpdateTestimonialBatchResponseBody: {
            /** @description The updated testimonials, in the order of the ids. */
            data: components["schemas"]["Testimonial"][];
            /**
             * Format: int32
             * @description How many testimonials were updated.
             */
            updated: number;
        };
        DeleteTestimonialBatchRequest: {
            /** @description Those that are not yours are skipped. */
            testimonial_ids: string[];
        };
        DeleteTestimonialBatchResponseBody: {
            /**
             * Format: int32
             * @description How many testimonials were deleted.
             */
            deleted: number;
        };
        ListSpacesResponseBody: {
            data: components["schemas"]["Space"][];
            pagination: components["schemas"]["Pagination"];
        };
        CreateSpaceRequest: {
            name: string;
            description?: string;
            /** Format: uri */
            logo_url?: string;
            /** @description A hex colour with six digits. */
            primary_color?: string;
            /** @description Kept with the space, for forms of your own. */
            custom_questions?: string[];
        };
        CreateSpaceResponseBody: {
            data: components["schemas"]["Space"];
        };
        GetSpaceResponseBody: {
            data: components["schemas"]["Space"];
        };
        UpdateSpaceRequest: {
            name?: string;
            description?: string;
            /** Format: uri */
            logo_url?: string;
            /** @description A hex colour with six digits. */
            primary_color?: string;
            /** @description Kept with the space, for forms of your own. */
            custom_questions?: string[];
        };
        UpdateSpaceResponseBody: {
            data: components["schemas"]["Space"];
        };
        ListEventsResponseBody: {
            data: components["schemas"]["WebhookEvent"][];
            pagination: components["schemas"]["FeedPagination"];
        };
        GetEventResponseBody: {
            data: components["schemas"]["WebhookEvent"];
        };
        ImportTestimonialsRequest: {
            testimonials: components["schemas"]["ImportedTestimonial"][];
            /**
             * @description What becomes of a testimonial whose `external_id` is there already: it stays as it is, or its fields are set to those that the item gives.
             * @default skip
             * @enum {string}
             */
            on_duplicate?: "skip" | "update";
            /**
             * @description False: no events. Webhooks and whoever follows the feed then hear nothing of this import, but of transcripts that come later.
             * @default true
             */
            events?: boolean;
        };
        ImportTestimonialsResponseBody: {
            /** @description One result for each item, in their order. */
            data: components["schemas"]["ImportResult"][];
            /**
             * Format: int32
             * @description How many testimonials were created.
             */
            created: number;
            /**
             * Format: int32
             * @description How many were changed.
             */
            updated: number;
            /**
             * Format: int32
             * @description How many were left as they are.
             */
            skipped: number;
            /**
             * Format: int32
             * @description How many items were refused.
             */
            invalid: number;
        };
        GetMeResponseBody: {
            data: components["schemas"]["Self"];
        };
        ListWebhookEndpointsResponseBody: {
            data: components["schemas"]["WebhookEndpoint"][];
        };
        CreateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description Must be https and public, without a user name or a password. Answer with any 2xx within 15 seconds; redirects are not followed.
             */
            url: string;
            /** @description What it is sent. */
            event_types: ("testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted")[];
            description?: string | null;
            /**
             * @description `false` makes it paused: it is sent nothing until it is resumed.
             * @default true
             */
            enabled?: boolean;
        };
        CreateWebhookEndpointResponseBody: {
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        GetWebhookEndpointResponseBody: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        UpdateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description Must be https and public, without a user name or a password. Answer with any 2xx within 15 seconds; redirects are not followed.
             */
            url?: string;
            /** @description What it is sent. */
            event_types?: ("testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted")[];
            description?: string | null;
            /** @description `false` pauses; `true` resumes, also what the service has switched off. */
            enabled?: boolean;
        };
        UpdateWebhookEndpointResponseBody: {
            data: components["schemas"]["WebhookEndpoint"];
        };
        TestWebhookEndpointRequest: {
            /**
             * @description Without it, the first one that the endpoint has chosen.
             * @enum {string}
             */
            event_type?: "testimonial.created" | "testimonial.approved" | "testimonial.rejected" | "testimonial.deleted" | "testimonial.updated" | "space.created" | "space.updated" | "space.deleted";
        };
        TestWebhookEndpointResponseBody: {
            data: components["schemas"]["WebhookDelivery"];
        };
        RotateWebhookEndpointSecretResponseBody: {
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        GetWebhookDeliveryResponseBody: {
            data: components["schemas"]["WebhookDeliveryWithAttempts"];
        };
    };
    responses: {
        /** @description `UNAUTHORIZED`: No API key was sent. Send it in the Authorization header. `INVALID_API_KEY`: The API key is malformed or unknown. Check that it was copied whole. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `API_KEY_DISABLED`: The API key is switched off. Switch it on in the dashboard, or use another one. `API_KEY_EXPIRED`: The API key has expired. Create a new one in the dashboard. `INSUFFICIENT_SCOPE`: The API key lacks the scope this operation needs. Of these, `INSUFFICIENT_SCOPE` alone carries the rate limit headers: the others are answered before the request is counted. */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `RATE_LIMIT_EXCEEDED`: The rate limit is exceeded. Try again after the reset. */
        RateLimitExceeded: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `VALIDATION_ERROR`: The request is not valid. Compare it with the API reference. */
        ValidationError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INTERNAL_ERROR`: The request could not be processed. If it goes on, report the X-Request-Id. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `SPACE_NOT_FOUND`: There is no space with this id. */
        SpaceNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The request body is larger than 1 MiB (an import: 8 MiB). `QUOTA_EXCEEDED`: The account stores as much as it may. Deleting a space with testimonials makes room at once; deleting a testimonial, once its events are gone after 30 days. */
        TooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `OVERLOADED`: Too much is arriving at once. Try again in a moment. */
        Overloaded: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_IN_USE`: A request with this Idempotency-Key is under way. Try again in a moment. */
        IdempotencyKeyInUse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `IDEMPOTENCY_KEY_REUSED`: The Idempotency-Key belongs to another request. Use a new one for each. */
        IdempotencyKeyReused: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `TESTIMONIAL_NOT_FOUND`: There is no testimonial with this id. */
        TestimonialNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE`: The request body is larger than 1 MiB (an import: 8 MiB). */
        PayloadTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `CURSOR_EXPIRED`: Events after this cursor are no longer kept. Start over: take a new cursor, list everything, and follow the feed from there. */
        CursorExpired: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `EVENT_NOT_FOUND`: There is no event with this id. Events are kept for 30 days. */
        EventNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `LIMIT_EXCEEDED`: The account has as many of these as it may have. `IDEMPOTENCY_KEY_IN_USE`: A request with this Idempotency-Key is under way. Try again in a moment. */
        LimitExceededOrIdempotencyKeyInUse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `WEBHOOK_ENDPOINT_NOT_FOUND`: There is no webhook endpoint with this id. */
        WebhookEndpointNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `WEBHOOK_ENDPOINT_PAUSED`: The webhook endpoint is paused or switched off. Switch it on first. `IDEMPOTENCY_KEY_IN_USE`: A request with this Idempotency-Key is under way. Try again in a moment. */
        WebhookEndpointPausedOrIdempotencyKeyInUse: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `DELIVERY_NOT_FOUND`: There is no delivery with this id. */
        DeliveryNotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Preference-Applied": components["headers"]["Preference-Applied"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INVALID_ENDPOINT`: There is no such endpoint. Compare the path with the API reference. */
        InvalidEndpoint: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `METHOD_NOT_ALLOWED`: This endpoint does not offer the method. The Allow header lists those it offers. */
        MethodNotAllowed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                Allow: components["headers"]["Allow"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests allowed per hour for the account. */
        "X-RateLimit-Limit": string;
        /** @description Requests left in the current window. */
        "X-RateLimit-Remaining": string;
        /** @description End of the current window, Unix timestamp in milliseconds. */
        "X-RateLimit-Reset": string;
        /** @description Names this request in our log; quote it when you ask for help. */
        "X-Request-Id": string;
        /** @description Seconds to wait before the next try. */
        "Retry-After": string;
        /** @description Changes when a testimonial or a space of the account does. Send it as If-None-Match. */
        ETag: string;
        /** @description That Prefer was heeded; with no other answer. */
        "Preference-Applied": string;
        /** @description This is what was answered to the Idempotency-Key before, and nothing was done; with no other answer. */
        "Idempotency-Replayed": string;
        /** @description The methods that the path offers. */
        Allow: string;
        /** @description How a key is sent. */
        "WWW-Authenticate": string;
    };
    pathItems: never;
}
export type ImportedTestimonial = components['schemas']['ImportedTestimonial'];
export type Testimonial = components['schemas']['Testimonial'];
export type Pagination = components['schemas']['Pagination'];
export type Space = components['schemas']['Space'];
export type FeedPagination = components['schemas']['FeedPagination'];
export type ImportResult = components['schemas']['ImportResult'];
export type ImportError = components['schemas']['ImportError'];
export type Self = components['schemas']['Self'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEndpointWithSecret = components['schemas']['WebhookEndpointWithSecret'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryWithAttempts = components['schemas']['WebhookDeliveryWithAttempts'];
export type WebhookAttempt = components['schemas']['WebhookAttempt'];
export type TestimonialCreatedEvent = components['schemas']['TestimonialCreatedEvent'];
export type TestimonialApprovedEvent = components['schemas']['TestimonialApprovedEvent'];
export type TestimonialStatusChange = components['schemas']['TestimonialStatusChange'];
export type TestimonialRejectedEvent = components['schemas']['TestimonialRejectedEvent'];
export type TestimonialDeletedEvent = components['schemas']['TestimonialDeletedEvent'];
export type TestimonialUpdatedEvent = components['schemas']['TestimonialUpdatedEvent'];
export type TestimonialChange = components['schemas']['TestimonialChange'];
export type SpaceCreatedEvent = components['schemas']['SpaceCreatedEvent'];
export type SpaceUpdatedEvent = components['schemas']['SpaceUpdatedEvent'];
export type SpaceDeletedEvent = components['schemas']['SpaceDeletedEvent'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type ErrorResponse = components['schemas']['ErrorResponse'];
export type ListTestimonialsResponseBody = components['schemas']['ListTestimonialsResponseBody'];
export type CreateTestimonialRequest = components['schemas']['CreateTestimonialRequest'];
export type CreateTestimonialResponseBody = components['schemas']['CreateTestimonialResponseBody'];
export type GetTestimonialResponseBody = components['schemas']['GetTestimonialResponseBody'];
export type UpdateTestimonialRequest = components['schemas']['UpdateTestimonialRequest'];
export type UpdateTestimonialResponseBody = components['schemas']['UpdateTestimonialResponseBody'];
export type UpdateTestimonialBatchRequest = components['schemas']['UpdateTestimonialBatchRequest'];
export type UpdateTestimonialBatchResponseBody = components['schemas']['UpdateTestimonialBatchResponseBody'];
export type DeleteTestimonialBatchRequest = components['schemas']['DeleteTestimonialBatchRequest'];
export type DeleteTestimonialBatchResponseBody = components['schemas']['DeleteTestimonialBatchResponseBody'];
export type ListSpacesResponseBody = components['schemas']['ListSpacesResponseBody'];
export type CreateSpaceRequest = components['schemas']['CreateSpaceRequest'];
export type CreateSpaceResponseBody = components['schemas']['CreateSpaceResponseBody'];
export type GetSpaceResponseBody = components['schemas']['GetSpaceResponseBody'];
export type UpdateSpaceRequest = components['schemas']['UpdateSpaceRequest'];
export type UpdateSpaceResponseBody = components['schemas']['UpdateSpaceResponseBody'];
export type ListEventsResponseBody = components['schemas']['ListEventsResponseBody'];
export type GetEventResponseBody = components['schemas']['GetEventResponseBody'];
export type ImportTestimonialsRequest = components['schemas']['ImportTestimonialsRequest'];
export type ImportTestimonialsResponseBody = components['schemas']['ImportTestimonialsResponseBody'];
export type GetMeResponseBody = components['schemas']['GetMeResponseBody'];
export type ListWebhookEndpointsResponseBody = components['schemas']['ListWebhookEndpointsResponseBody'];
export type CreateWebhookEndpointRequest = components['schemas']['CreateWebhookEndpointRequest'];
export type CreateWebhookEndpointResponseBody = components['schemas']['CreateWebhookEndpointResponseBody'];
export type GetWebhookEndpointResponseBody = components['schemas']['GetWebhookEndpointResponseBody'];
export type UpdateWebhookEndpointRequest = components['schemas']['UpdateWebhookEndpointRequest'];
export type UpdateWebhookEndpointResponseBody = components['schemas']['UpdateWebhookEndpointResponseBody'];
export type TestWebhookEndpointRequest = components['schemas']['TestWebhookEndpointRequest'];
export type TestWebhookEndpointResponseBody = components['schemas']['TestWebhookEndpointResponseBody'];
export type RotateWebhookEndpointSecretResponseBody = components['schemas']['RotateWebhookEndpointSecretResponseBody'];
export type GetWebhookDeliveryResponseBody = components['schemas']['GetWebhookDeliveryResponseBody'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseRateLimitExceeded = components['responses']['RateLimitExceeded'];
export type ResponseValidationError = components['responses']['ValidationError'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseSpaceNotFound = components['responses']['SpaceNotFound'];
export type ResponseTooLarge = components['responses']['TooLarge'];
export type ResponseOverloaded = components['responses']['Overloaded'];
export type ResponseIdempotencyKeyInUse = components['responses']['IdempotencyKeyInUse'];
export type ResponseIdempotencyKeyReused = components['responses']['IdempotencyKeyReused'];
export type ResponseTestimonialNotFound = components['responses']['TestimonialNotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseCursorExpired = components['responses']['CursorExpired'];
export type ResponseEventNotFound = components['responses']['EventNotFound'];
export type ResponseLimitExceededOrIdempotencyKeyInUse = components['responses']['LimitExceededOrIdempotencyKeyInUse'];
export type ResponseWebhookEndpointNotFound = components['responses']['WebhookEndpointNotFound'];
export type ResponseWebhookEndpointPausedOrIdempotencyKeyInUse = components['responses']['WebhookEndpointPausedOrIdempotencyKeyInUse'];
export type ResponseDeliveryNotFound = components['responses']['DeliveryNotFound'];
export type ResponseInvalidEndpoint = components['responses']['InvalidEndpoint'];
export type ResponseMethodNotAllowed = components['responses']['MethodNotAllowed'];
export type HeaderXRateLimitLimit = components['headers']['X-RateLimit-Limit'];
export type HeaderXRateLimitRemaining = components['headers']['X-RateLimit-Remaining'];
export type HeaderXRateLimitReset = components['headers']['X-RateLimit-Reset'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderPreferenceApplied = components['headers']['Preference-Applied'];
export type HeaderIdempotencyReplayed = components['headers']['Idempotency-Replayed'];
export type HeaderAllow = components['headers']['Allow'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type $defs = Record<string, never>;
export interface operations {
    listTestimonials: {
        parameters: {
            query?: {
                /** @description Only testimonials of this space. */
                space_id?: string;
                /** @description Only with this moderation status. */
                status?: "pending" | "approved" | "rejected";
                /** @description Only of this type. */
                type?: "text" | "video";
                /** @description Exactly this rating. */
                rating?: number;
                /** @description Case-insensitive substring of text_content; % and _ are literal. */
                search?: string;
                /** @description Created at or after. In UTC with `Z`: of an instant that an answer gave, write `Z` in place of `+00:00`, and keep the microseconds. */
                date_from?: string;
                /** @description Created at or before. In UTC with `Z`: of an instant that an answer gave, write `Z` in place of `+00:00`, and keep the microseconds. */
                date_to?: string;
                /** @description The one that an import has given this id, as it was given. */
                external_id?: string;
                /** @description Only where the transcription of the video stands so. */
                transcription?: "none" | "pending" | "done" | "failed";
                /** @description What to show beside: `transcription` adds the fields `transcription` and `language`. */
                include?: string;
                /** @description How many items to return. */
                limit?: number;
                /** @description How many items to skip, at most 9007199254740991. Beside a cursor, 0 alone. */
                offset?: number;
                /** @description What to sort by. */
                sort_by?: "created_at" | "updated_at" | "rating" | "shares";
                /** @description Sort direction. */
                sort_order?: "asc" | "desc";
                /** @description `start` for the first page of a walk, then the `next_cursor` of the page before, with the same filters and sorting. Skips and repeats no row that stays in its place. */
                cursor?: string;
            };
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description The ETag of the answer you have; where it is still current, you get a 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTestimonialsResponseBody"];
                };
            };
            /** @description What If-None-Match names is still current. */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    createTestimonial: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestimonialRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateTestimonialResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SpaceNotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getTestimonial: {
        parameters: {
            query?: {
                /** @description What to show beside: `transcription` adds the fields `transcription` and `language`. */
                include?: string;
            };
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description The ETag of the answer you have; where it is still current, you get a 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the testimonial. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTestimonialResponseBody"];
                };
            };
            /** @description What If-None-Match names is still current. */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TestimonialNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteTestimonial: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the testimonial. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TestimonialNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateTestimonial: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the testimonial. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTestimonialRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTestimonialResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["TestimonialNotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateTestimonialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTestimonialBatchRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateTestimonialBatchResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    deleteTestimonialBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteTestimonialBatchRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteTestimonialBatchResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    listSpaces: {
        parameters: {
            query?: {
                /** @description How many items to return. */
                limit?: number;
                /** @description How many items to skip, at most 9007199254740991. Beside a cursor, 0 alone. */
                offset?: number;
                /** @description What to sort by. */
                sort_by?: "created_at" | "updated_at" | "rating" | "shares";
                /** @description Sort direction. */
                sort_order?: "asc" | "desc";
                /** @description `start` for the first page of a walk, then the `next_cursor` of the page before, with the same filters and sorting. Skips and repeats no row that stays in its place. */
                cursor?: string;
            };
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description The ETag of the answer you have; where it is still current, you get a 304. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListSpacesResponseBody"];
                };
            };
            /** @description What If-None-Match names is still current. */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    createSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSpaceRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSpaceResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description The ETag of the answer you have; where it is still current, you get a 304. */
                "If-None-Match"?: string;
            };
            path: {
                /** @description The id of the space. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetSpaceResponseBody"];
                };
            };
            /** @description What If-None-Match names is still current. */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SpaceNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the space. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateSpace: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the space. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSpaceRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateSpaceResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["SpaceNotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description A cursor that an earlier answer gave; events after it are returned. `latest` is the end of the feed. Without it, the oldest event that is kept comes first. */
                after?: string;
                /** @description Only events of these types, separated by commas. */
                types?: string;
                /** @description How many events to return. */
                limit?: number;
                /** @description Where there is no event yet: for how many seconds to wait for one. */
                wait?: number;
            };
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["CursorExpired"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetEventResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["EventNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    importTestimonials: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportTestimonialsRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportTestimonialsResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetMeResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhookEndpointsResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookEndpointResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["LimitExceededOrIdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookEndpointResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookEndpointNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done; there is no body. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookEndpointNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookEndpointResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookEndpointResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["WebhookEndpointPausedOrIdempotencyKeyInUse"];
            413: components["responses"]["TooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
                /** @description A name of your own for this request, such as a UUID; send it again with each retry. For 24 hours the same request under it gets the answer of the first, and is not done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the webhook endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookEndpointSecretResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["WebhookEndpointNotFound"];
            409: components["responses"]["IdempotencyKeyInUse"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyKeyReused"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Overloaded"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description `handling=strict` has unknown query parameters and body fields refused, which are ignored otherwise. The answer then has `Preference-Applied: handling=strict`. */
                Prefer?: string;
            };
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetWebhookDeliveryResponseBody"];
                };
            };
            400: components["responses"]["ValidationError"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["DeliveryNotFound"];
            429: components["responses"]["RateLimitExceeded"];
            500: components["responses"]["InternalError"];
        };
    };
}
