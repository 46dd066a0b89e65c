/** Generates the OpenAPI 3.1 document of the API from the contract's entries. */
import { type Environment, scopesByEnvironment } from '../environments.ts'
import { examplesByOperation } from '../examples/examples-by-operation.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { headerParameters, writeParameters } from './parameters.ts'
import { commonResponses, named, responseHeaders, writeResponses } from './responses.ts'
import { type Components, type JsonObject, writeSchema } from './schemas.ts'
import { RECEIVER_TAG, writeWebhooks } from './webhooks.ts'

/** The second generation of the API, as in its paths; additions raise the middle number. */
const API_VERSION = '2.0.0'
/** Where `npm start` serves the three servers. */
const LOCAL_ADDRESS = 'http://127.0.0.1:8080'

export type ServerUrls = { readonly [server in Operation['server']]: string }

const LOCAL_SERVERS: ServerUrls = { base: LOCAL_ADDRESS, auth: LOCAL_ADDRESS, onboarding: LOCAL_ADDRESS }

const serverDescriptions = {
  base: 'The API.',
  auth: 'The authorisation server.',
  onboarding: 'The onboarding of companies.',
} as const satisfies ServerUrls

/** The groups of operations, in the order in which they are read. */
export const operationTags = [
  ['Token', 'Authentication of partners.'],
  ['Banks', 'The supported banks with their products and limits.'],
  ['Countries', 'Receiver countries and their payment requirements.'],
  ['Onboarding', 'Onboarding of companies.'],
  ['Companies', 'The companies that a partner acts for.'],
  ['Consents', "A user's access to a company's accounts at a bank."],
  ['Accounts', 'The accounts on a consent.'],
  ['Exchange', 'Quotes, currencies and calendar of payments in another currency.'],
  ['Payments', 'Payments and their status.'],
  ['Payrolls', 'Salaries: many transactions that are ordered and signed together.'],
  ['Approvals', 'Approval of payments by users.'],
  ['Cancellations', 'Cancellation of payments.'],
  ['Webhooks', 'Webhook subscriptions, deliveries and events.'],
  ['Request log', 'Your requests of the last 30 days with their responses.'],
  ['Sandbox', 'Simulation in the sandbox.'],
] as const

/** The document, with the URLs and the operations of the environment that serves it. */
export function openApiDocument(urls: ServerUrls = LOCAL_SERVERS, mode: Environment = 'sandbox'): JsonObject {
  const components: Components = new Map()
  const served = Object.values<Operation>(operations).filter((entry) => mode === 'sandbox' || !entry.sandboxOnly)
  const paths = writePaths(served, components, urls)
  const webhooks = writeWebhooks(components)
  const responses = commonResponses(components)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Havn',
      version: API_VERSION,
      description:
        'Payments and account information at the banks of companies in the Nordics. Timestamps of answers ' +
        'and webhooks are in ' +
        'UTC with three decimals, for example `2026-11-23T10:00:00.000Z`; requests may use any form of RFC 3339.',
      contact: { name: 'The operator of this installation' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [serverOf('base', urls)],
    tags: [...tagsOf(served), RECEIVER_TAG],
    security: [{ oauth2: [] }, { bearer: [] }],
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries([...components].sort(([left], [right]) => (left < right ? -1 : 1))),
      parameters: headerParameters,
      headers: responseHeaders,
      responses,
      securitySchemes: securitySchemes(urls, mode),
    },
  }
}

function tagsOf(served: readonly Operation[]): JsonObject[] {
  const used = new Set(served.map(({ tag }) => tag))
  return operationTags.filter(([name]) => used.has(name)).map(([name, description]) => ({ name, description }))
}

const SCOPE_TEXTS = { sandbox: 'The sandbox.', production: 'Production.' } as const satisfies Record<
  Environment,
  string
>

/** A sandbox describes both environments: what is tried there is written for production. */
const securitySchemes = ({ auth }: ServerUrls, mode: Environment): JsonObject => ({
  oauth2: {
    type: 'oauth2',
    description: 'Client credentials, to be exchanged from a trusted backend only.',
    flows: {
      clientCredentials: {
        tokenUrl: `${auth}${operations.issueToken.path}`,
        scopes: {
          ...(mode === 'sandbox' ? { [scopesByEnvironment.sandbox]: SCOPE_TEXTS.sandbox } : {}),
          [scopesByEnvironment.production]: SCOPE_TEXTS.production,
        },
      },
    },
  },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The token that was issued.' },
})

function writePaths(served: readonly Operation[], components: Components, urls: ServerUrls): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const entry of served) {
    const written = { [entry.method.toLowerCase()]: writeOperation(entry, components) }
    const servers = entry.server === 'base' ? {} : { servers: [serverOf(entry.server, urls)] }
    paths[entry.path] = { ...paths[entry.path], ...servers, ...written }
  }
  return paths
}

function writeOperation(entry: Operation, components: Components): JsonObject {
  const examples = examplesOf(entry)
  return {
    operationId: entry.id,
    tags: [entry.tag],
    summary: entry.summary,
    ...(entry.description === undefined ? {} : { description: entry.description }),
    ...(entry.admits === 'anyone' ? { security: [] } : {}),
    ...(entry.destructive === undefined ? {} : { 'x-destructive': entry.destructive }),
    ...(entry.sandboxOnly ? { 'x-sandbox-only': true } : {}),
    parameters: writeParameters(entry, examples[0], components),
    ...writeBody(entry, examples, components),
    responses: writeResponses(entry, examples, components),
  }
}

function writeBody(entry: Operation, examples: readonly object[], components: Components): JsonObject {
  if (entry.body === undefined) {
    return {}
  }
  const mediaType = entry.bodyType === 'form' ? 'application/x-www-form-urlencoded' : 'application/json'
  const shown = examples.flatMap((example) => ('body' in example ? [named(example, example.body)] : []))
  const content = { schema: writeSchema(entry.body, components), examples: Object.fromEntries(shown) }
  return { requestBody: { required: true, content: { [mediaType]: content } } }
}

function examplesOf({ id }: Operation): readonly [object, ...object[]] {
  const found = Object.entries(examplesByOperation).find(([operationId]) => operationId === id)
  if (found === undefined) {
    throw new Error(`${id} has no example`)
  }
  return found[1]
}

function serverOf(server: Operation['server'], urls: ServerUrls): JsonObject {
  return { url: urls[server], description: serverDescriptions[server] }
}
