/** Adapts the bank standard's OpenAPI file for validators; third_party/README.md lists each change with its reason. */

type Json = string | number | boolean | null | readonly Json[] | JsonObject
type JsonObject = { readonly [name: string]: Json }

/** The services that the standard combines in one path. */
const SERVICES = ['payments', 'bulk-payments', 'periodic-payments'] as const
const SERVICE_PART = '/v1/{payment-service}/'
const SERVICE_PARAMETER = '#/components/parameters/paymentService'
const CANCEL_ANSWER = '#/components/responses/RECEIVED_202_PaymentInitiationCancel'
const CONFIRMED = '#/components/schemas/authorisationConfirmationResponse'
/** The JSON body of each service, among the alternatives of one request body. */
const BODY_BY_SERVICE = {
  payments: '#/components/schemas/paymentInitiation_json',
  'bulk-payments': '#/components/schemas/bulkPaymentInitiation_json',
  'periodic-payments': '#/components/schemas/periodicPaymentInitiation_json',
} as const

/** Returns a patched copy of the parsed original. */
export function patchXs2aStandard(original: unknown): JsonObject {
  const document = object(withoutExamples(asJson(original)))
  const components = object(document['components'])
  return {
    ...document,
    paths: withServicesApart(object(document['paths'])),
    components: {
      ...components,
      parameters: withAnyProduct(object(components['parameters'])),
      responses: withBothDetails(object(components['responses'])),
      schemas: withWaysOfBanks(object(components['schemas'])),
    },
  }
}

function withServicesApart(paths: JsonObject): JsonObject {
  const entries = Object.entries(paths).flatMap(([path, item]): [string, Json][] =>
    path.startsWith(SERVICE_PART)
      ? SERVICES.map((service) => [path.replace('{payment-service}', service), pathOfService(object(item), service)])
      : [[path, item]],
  )
  return Object.fromEntries(entries)
}

function pathOfService(item: JsonObject, service: (typeof SERVICES)[number]): JsonObject {
  const operations = Object.entries(item).map(([method, operation]) => {
    const { operationId, parameters, requestBody, ...rest } = object(operation)
    const body = isInitiation(requestBody) ? { requestBody: bodyOfService(service) } : given({ requestBody })
    return [
      method,
      {
        ...rest,
        ...body,
        responses: withCancelledAtOnce(object(rest['responses'])),
        operationId: `${operationId}_${service}`,
        parameters: list(parameters).filter((parameter) => object(parameter)['$ref'] !== SERVICE_PARAMETER),
      },
    ]
  })
  return Object.fromEntries(operations)
}

/** By the text, an immediate cancellation may have a response body; the file only has 204. */
function withCancelledAtOnce(responses: JsonObject): JsonObject {
  const requested = Object.entries(responses).find(([, answer]) => isReferenceTo(answer, CANCEL_ANSWER))
  return requested === undefined ? responses : { ...responses, 200: requested[1] }
}

function isReferenceTo(answer: Json, name: string): boolean {
  return object(answer)['$ref'] === name
}

function isInitiation(requestBody: Json | undefined): boolean {
  return requestBody !== undefined && object(requestBody)['$ref'] === '#/components/requestBodies/paymentInitiation'
}

function bodyOfService(service: (typeof SERVICES)[number]): JsonObject {
  const schema = { $ref: BODY_BY_SERVICE[service] }
  return { required: true, content: { 'application/json': { schema } } }
}

function withAnyProduct(parameters: JsonObject): JsonObject {
  const product = object(parameters['paymentProduct'])
  return { ...parameters, paymentProduct: { ...product, schema: { type: 'string' } } }
}

function withBothDetails(responses: JsonObject): JsonObject {
  const details = object(responses['OK_200_TransactionDetails'])
  const once = { $ref: '#/components/schemas/transactions' }
  const twice = { $ref: '#/components/schemas/transactionDetailsBody' }
  const schema = {
    type: 'object',
    required: ['transactionsDetails'],
    properties: { transactionsDetails: { anyOf: [twice, once] } },
  }
  return { ...responses, OK_200_TransactionDetails: { ...details, content: { 'application/json': { schema } } } }
}

/** Values that the file lacks and banks use all the same: third parties must accept them. */
const OWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  transactionStatus: ['QUEU'],
  scaStatus: ['authenticationStarted'],
  MessageCode401_PIS: ['REQUIRED_KID_MISSING', 'CERTIFICATE_REVOKED'],
  MessageCode401_AIS: ['CERTIFICATE_REVOKED'],
  MessageCode401_SBS: ['CERTIFICATE_REVOKED'],
}

function withWaysOfBanks(schemas: JsonObject): JsonObject {
  const worded = Object.entries(OWN_WORDS).map(([name, words]): [string, Json] => {
    const schema = object(schemas[name])
    return [name, { ...schema, enum: [...list(schema['enum']), ...words] }]
  })
  const message = object(schemas['tppMessageGeneric'])
  const held = object(schemas['paymentInitiationWithStatusResponse'])
  const authorisations = object(schemas['authorisations'])
  const { authorisationIds } = object(authorisations['properties'])
  const { required: _required, ...openAuthorisations } = authorisations
  return {
    ...schemas,
    ...Object.fromEntries(worded),
    tppMessageGeneric: { ...message, properties: { ...object(message['properties']), code: { type: 'string' } } },
    paymentInitiationWithStatusResponse: {
      ...held,
      required: list(held['required']).filter((name) => name !== 'creditorName'),
    },
    authorisations: {
      ...openAuthorisations,
      properties: given({ authorisationIds, cancellationIds: authorisationIds }),
      anyOf: [{ required: ['authorisationIds'] }, { required: ['cancellationIds'] }],
    },
  }
}

function withoutExamples(value: Json): Json {
  if (isList(value)) {
    return value.map(withoutExamples)
  }
  if (typeof value !== 'object' || value === null) {
    return value
  }
  const stored = Object.entries(value).filter(([name, member]) => !isExample(name, member))
  const patched = stored.map(([name, member]) => [
    isUndecidable(name, member) ? 'anyOf' : name,
    isFormat(name, member) ? 'uri-reference' : withoutExamples(member),
  ])
  return Object.fromEntries(patched)
}

function isExample(name: string, member: Json): boolean {
  return name === 'examples' || (name === 'example' && !isSchema(member))
}

/** A property may be named `example`; its value is then a schema and remains. */
function isSchema(member: Json): boolean {
  return typeof member === 'object' && member !== null && !isList(member) && ('type' in member || '$ref' in member)
}

/** Every body matches the empty alternative as well, and a confirmation response also matches the SCA status. */
function isUndecidable(name: string, member: Json): boolean {
  return name === 'oneOf' && isList(member) && member.some((one) => isEmpty(one) || isReferenceTo(one, CONFIRMED))
}

function isEmpty(member: Json): boolean {
  return typeof member === 'object' && member !== null && !isList(member) && Object.keys(member).length === 0
}

function isFormat(name: string, member: Json): boolean {
  return name === 'format' && member === 'url'
}

function given(members: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function list(value: Json | undefined): readonly Json[] {
  return value !== undefined && isList(value) ? value : []
}

function object(value: Json | undefined): JsonObject {
  if (typeof value !== 'object' || value === null || isList(value)) {
    throw new Error('The standard is not built as expected')
  }
  return value
}
