import type {
  ExampleObject,
  OperationObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from 'openapi3-ts/oas31';
import { eventType } from '@/src/webhooks/schema';
import { document, resolve, schemaOf, validatorAt } from './conformance';

const schemas = Object.keys(document.components?.schemas ?? {});

describe('the published document', () => {
  test('requires at least one field where a PATCH does', () => {
    for (const name of ['UpdateTestimonialRequest', 'UpdateSpaceRequest']) {
      const validate = validatorAt(`/components/schemas/${name}`);
      expect(validate({})).toBe(false);
    }
  });

  test('says which fields may be null, and which may not', () => {
    const isNullable = (name: string) =>
      Object.entries(schemaOf(name)?.properties ?? {})
        .filter(([, schema]) => 'type' in schema && schema.type?.includes('null'))
        .map(([field]) => field);
    expect(isNullable('Testimonial')).toEqual([
      'submitter_email',
      'submitter_company',
      'submitter_role',
      'submitter_avatar_url',
      'text_content',
      'video_url',
      'video_thumbnail_url',
      'rating',
      'ai_transcript',
      'language',
    ]);
    expect(isNullable('Space')).toEqual([
      'description',
      'logo_url',
      'primary_color',
      'custom_questions',
    ]);
    expect(isNullable('CreateTestimonialRequest')).toEqual([]);
    expect(isNullable('UpdateSpaceRequest')).toEqual([]);
  });

  test('has lists of values that generators of clients take: no null among them, and no const', () => {
    const enums: unknown[] = [];
    const consts: unknown[] = [];
    JSON.stringify(document, (_, value) => {
      if (value?.enum) enums.push(value.enum);
      if (value?.const !== undefined) consts.push(value);
      return value;
    });
    expect(enums).toContainEqual(['gone', 'failing']);
    expect(enums).toContainEqual(['testimonial.created']);
    expect(JSON.stringify(enums)).not.toContain('null');
    expect(consts).toEqual([]);
    const isReason = validatorAt('/components/schemas/WebhookEndpoint/properties/disabled_reason');
    const reasons = ['gone', null, 'null', 'other'];
    expect(reasons.map((reason) => isReason(reason))).toEqual([true, true, false, false]);
  });

  test('leaves objects open: unknown input is ignored, answers may gain fields', () => {
    expect(JSON.stringify(document)).not.toContain('additionalProperties');
  });

  test('leaves default fields optional in requests', () => {
    expect(schemaOf('CreateTestimonialRequest')?.required).toEqual([
      'space_id',
      'type',
      'submitter_name',
      'submitter_email',
    ]);
  });

  test('describes every event, each with a body of its own, told apart by its type', () => {
    expect(Object.keys(document.webhooks ?? {})).toEqual([
      'testimonial.created',
      'testimonial.approved',
      'testimonial.rejected',
      'testimonial.deleted',
      'testimonial.updated',
      'space.created',
      'space.updated',
      'space.deleted',
    ]);
    const schemaNames = eventType.options.map((type) => {
      const webhook = resolve(document.webhooks?.[type])?.post;
      const body = resolve<RequestBodyObject>(webhook?.requestBody);
      const reference = body?.content['application/json']?.schema;
      const schema = resolve<SchemaObject>(reference);
      expect(schema?.properties?.type).toEqual({ type: 'string', enum: [type] });
      return [type, reference && '$ref' in reference ? reference.$ref : 'no reference'];
    });
    expect(schemaNames[0]).toEqual([
      'testimonial.created',
      '#/components/schemas/TestimonialCreatedEvent',
    ]);
    expect(schemaOf('WebhookEvent')).toMatchObject({
      oneOf: schemaNames.map(([, $ref]) => ({ $ref })),
      discriminator: { propertyName: 'type', mapping: Object.fromEntries(schemaNames) },
    });
  });

  test('has previous_status where a testimonial was changed, and nowhere else', () => {
    const data = (name: string) => resolve<SchemaObject>(schemaOf(name)?.properties?.data);
    const changes = [
      'TestimonialApprovedEvent',
      'TestimonialRejectedEvent',
      'TestimonialUpdatedEvent',
    ];
    for (const name of changes) {
      expect(data(name)?.required).toContain('previous_status');
    }
    for (const name of ['TestimonialCreatedEvent', 'TestimonialDeletedEvent']) {
      expect(data(name)).toBe(schemaOf('Testimonial'));
      expect(data(name)?.properties).not.toHaveProperty('previous_status');
    }
  });

  test('takes an error code that is not known yet, and names those that are', () => {
    const isError = validatorAt('/components/schemas/ErrorResponse');
    expect(isError({ error: { code: 'NOT_KNOWN_YET', message: 'New.' } })).toBe(true);
    expect(isError({ error: { code: 1, message: 'New.' } })).toBe(false);
    const error = resolve<SchemaObject>(schemaOf('ErrorResponse')?.properties?.error);
    const listed = Object.values(document.components?.responses ?? {}).flatMap((response) => {
      const { content } = resolve<ResponseObject>(response) ?? {};
      return Object.keys(content?.['application/json']?.examples ?? {});
    });
    const code = resolve<SchemaObject>(error?.properties?.code);
    expect([...(code?.['x-extensible-enum'] ?? [])].sort()).toEqual([...new Set(listed)].sort());
    expect(code?.enum).toBeUndefined();
  });

  test('bounds every list that the service bounds', () => {
    const maxItems = Object.fromEntries(
      schemas.flatMap((name) =>
        Object.entries(schemaOf(name)?.properties ?? {}).flatMap(([field, schema]) =>
          'maxItems' in schema ? [[`${name}.${field}`, schema.maxItems]] : [],
        ),
      ),
    );
    expect(maxItems).toMatchObject({
      'ListTestimonialsResponseBody.data': 100,
      'ListSpacesResponseBody.data': 100,
      'UpdateTestimonialBatchRequest.testimonial_ids': 100,
      'UpdateTestimonialBatchResponseBody.data': 100,
      'DeleteTestimonialBatchRequest.testimonial_ids': 100,
    });
  });

  test('says which integers fit 32 bits; an offset alone may be larger', () => {
    const formats: [string, unknown][] = [];
    JSON.stringify(document, function (this: unknown, key, value) {
      if (value?.type === 'integer' || value?.type?.includes?.('integer')) {
        const name = key === 'schema' ? Reflect.get(Object(this), 'name') : key;
        formats.push([name, value.format]);
      }
      return value;
    });
    expect(formats.length).toBeGreaterThan(10);
    for (const [name, format] of formats) {
      expect([name, format]).toEqual([name, name === 'offset' ? undefined : 'int32']);
    }
  });

  test('has the example of each body beside its reference, and of each error its own alone', () => {
    const operations: OperationObject[] = Object.values(document.paths ?? {}).flatMap((item) =>
      Object.values(item),
    );
    let count = 0;
    for (const { operationId, requestBody, responses } of operations) {
      for (const part of [requestBody, ...Object.values(responses ?? {})]) {
        const content = resolve<RequestBodyObject | ResponseObject>(part)?.content;
        const media = content?.['application/json'];
        if (!media) continue;
        const [example] = resolve<SchemaObject>(media.schema)?.examples ?? [];
        expect([operationId, media.example]).toEqual([operationId, example]);
        expect([operationId, example === undefined]).toEqual([operationId, 'examples' in media]);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test('has schemas that compile, and examples that they accept', () => {
    let count = 0;
    const check = (pointer: string, example: unknown) => {
      const validate = validatorAt(pointer);
      validate(example);
      expect([pointer, validate.errors]).toEqual([pointer, null]);
      count += 1;
    };
    for (const name of schemas) {
      const pointer = `/components/schemas/${name}`;
      validatorAt(pointer);
      const examples: unknown[] = schemaOf(name)?.examples ?? [];
      for (const example of examples) check(pointer, example);
      const needsOne = /(Request|ResponseBody)$/.test(name);
      expect([name, needsOne && examples.length === 0]).toEqual([name, false]);
    }
    for (const response of Object.values(document.components?.responses ?? {})) {
      const { content } = resolve<ResponseObject>(response) ?? {};
      for (const example of Object.values(content?.['application/json']?.examples ?? {})) {
        check('/components/schemas/ErrorResponse', resolve<ExampleObject>(example)?.value);
      }
    }
    for (const reference of Object.values(document.webhooks ?? {})) {
      const body = resolve<RequestBodyObject>(resolve(reference)?.post?.requestBody);
      check('/components/schemas/WebhookEvent', body?.content['application/json']?.example);
    }
    expect(count).toBeGreaterThan(30);
  });
});
