/** Writes the operations as a Postman collection (format 2.1): requests with variables, which their responses set. */
import { scopesByEnvironment } from '../../contract/environments.ts'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import { dayFromToday } from '../browser/day-from-today.mjs'
import type { DocsSettings } from '../docs-settings.ts'
import { DAY_VARIABLES, EXAMPLE_VARIABLES, READER_VARIABLES, variablesFrom } from '../examples/example-variables.ts'
import { examplesOf, type RequestExample } from '../examples/request-example.ts'
import { SANDBOX_TIME_PATH } from '../layout/page-layout.ts'
import type { OperationGroup } from '../operation-groups.ts'
import { bodyTemplate, formTemplate, headerTemplates, pathTemplate, queryTemplate } from '../try-it/try-it-form.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'
const DESCRIPTION = [
  'Enter `clientId` and `clientSecret` among the variables of the collection; the token is requested by itself.',
  'Ids that a response has are set as variables, which other requests use.',
  'The requests of the last folder are destructive: they are skipped until you set `allowDestructive` to `yes`.',
].join(' ')
const DESTRUCTIVE_FOLDER = {
  name: 'Destructive operations',
  description: [
    'Requests that end, replace or disturb something. They are skipped until the variable `allowDestructive` of the',
    `collection is \`yes\`. Set ${READER_VARIABLES.map(({ name }) => `\`${name}\``).join(' and ')} to values of your own.`,
  ].join(' '),
}
/** An older Postman, which cannot skip a request, does not send it either: the script fails. */
const SKIP_UNLESS_ALLOWED = [
  "if (pm.collectionVariables.get('allowDestructive') !== 'yes') {",
  "  console.log(pm.info.requestName + ' is destructive: set allowDestructive to yes to send it')",
  '  pm.execution.skipRequest()',
  '}',
]

/** The clock of the sandbox may have been moved. Postman sends the request when the script's own requests have ended. */
const SET_DAYS_BY_BUSINESS_TIME = [
  `pm.sendRequest(variables.get('baseUrl') + '${SANDBOX_TIME_PATH}', (error, response) => {`,
  '  if (!error && response.code === 200) {',
  '    setDays(Date.parse(response.json().now))',
  '  }',
  '})',
]

/** The collection as JSON text, with the URLs of this gateway. */
export function postmanCollection(place: DocsSettings, groups: readonly OperationGroup[]): string {
  const collection = {
    info: { name: `Havn (${place.mode})`, schema: SCHEMA, description: DESCRIPTION },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [script('prerequest', beforeEachRequest(place))],
    variable: variablesOf(place),
    item: [...groups.flatMap(groupFolder), destructiveFolder(groups)],
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

function groupFolder({ tag, description, operations }: OperationGroup) {
  const items = operations.filter(({ destructive }) => destructive === undefined).flatMap(itemsOf)
  return items.length === 0 ? [] : [{ name: tag, description, item: items }]
}

/** Last, so that a run of the whole collection has used what these requests end. */
function destructiveFolder(groups: readonly OperationGroup[]) {
  const operations = groups.flatMap((group) => group.operations).filter(({ destructive }) => destructive !== undefined)
  return {
    ...DESTRUCTIVE_FOLDER,
    event: [script('prerequest', SKIP_UNLESS_ALLOWED)],
    item: operations.flatMap(itemsOf),
  }
}

function itemsOf(operation: Operation) {
  return examplesOf(operation).map((example) => item(operation, example))
}

function variablesOf({ mode, demo, baseUrl, authUrl }: DocsSettings) {
  const known = mode === 'sandbox' && demo ? demoCredentials : { clientId: '', clientSecret: '' }
  const values = {
    ...{ baseUrl, authUrl, ...known, scope: scopesByEnvironment[mode], token: '', tokenExpires: '0' },
    allowDestructive: '',
    ...Object.fromEntries([...EXAMPLE_VARIABLES, ...READER_VARIABLES, ...DAY_VARIABLES].map(({ name }) => [name, ''])),
  }
  return Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }))
}

/** Sets the days, and gets a token when there is none that is valid for another minute. */
function beforeEachRequest({ mode }: DocsSettings): readonly string[] {
  const days = DAY_VARIABLES.map(
    ({ name, fromToday }) => `  variables.set('${name}', dayFromToday(milliseconds, ${fromToday}))`,
  )
  return [
    'const variables = pm.collectionVariables',
    "const seconds = Number(pm.variables.replaceIn('{{$timestamp}}'))",
    ...String(dayFromToday).split('\n'),
    'const setDays = (milliseconds) => {',
    ...days,
    '}',
    'setDays(seconds * 1000)',
    ...(mode === 'sandbox' ? SET_DAYS_BY_BUSINESS_TIME : []),
    "if (pm.info.requestName !== 'issueToken' && Number(variables.get('tokenExpires')) < seconds + 60) {",
    '  const field = (key, value) => ({ key, value })',
    '  pm.sendRequest({',
    "    url: variables.get('authUrl') + '/v2/connect/token',",
    "    method: 'POST',",
    "    body: { mode: 'urlencoded', urlencoded: [",
    "      field('grant_type', 'client_credentials'),",
    "      field('scope', variables.get('scope')),",
    "      field('client_id', variables.get('clientId')),",
    "      field('client_secret', variables.get('clientSecret')),",
    '    ] },',
    '  }, (error, response) => {',
    '    if (error || response.code !== 200) {',
    "      throw new Error('No access token: check clientId and clientSecret among the variables of the collection')",
    '    }',
    '    const { access_token, expires_in } = response.json()',
    "    variables.set('token', access_token)",
    "    variables.set('tokenExpires', String(seconds + expires_in))",
    '  })',
    '}',
  ]
}

function item(operation: Operation, example: RequestExample) {
  const { id, method, admits, summary, description, destructive } = operation
  const defined = variablesFrom(operation, example)
  return {
    name: example.index === 0 ? id : `${id}: ${example.summary}`,
    request: {
      method,
      description: [`${summary}.`, destructive, description].filter((text) => text !== undefined).join(' '),
      ...(admits === 'anyone' ? { auth: { type: 'noauth' } } : {}),
      header: headersOf(operation, example),
      url: urlOf(operation, example),
      ...(example.body === undefined ? {} : { body: bodyOf(operation, example) }),
    },
    ...(defined.length === 0 ? {} : { event: [script('test', setting(defined))] }),
    response: [],
  }
}

function headersOf(operation: Operation, example: RequestExample) {
  // The collection adds the token.
  const { Authorization: _, ...headers } = headerTemplates(operation, example)
  return Object.entries(headers).map(([key, value]) => ({ key, value }))
}

function urlOf(operation: Operation, example: RequestExample) {
  const host = operation.server === 'auth' ? '{{authUrl}}' : '{{baseUrl}}'
  const path = pathTemplate(operation, example)
  const values = queryTemplate(example).map(([key, value]) => ({ key, value }))
  const written = values.map(({ key, value }) => `${key}=${value}`).join('&')
  return {
    raw: `${host}${path}${written === '' ? '' : `?${written}`}`,
    host: [host],
    path: path.slice(1).split('/'),
    ...(values.length === 0 ? {} : { query: values }),
  }
}

function bodyOf({ bodyType }: Operation, example: RequestExample) {
  if (bodyType === 'form') {
    return {
      mode: 'urlencoded',
      urlencoded: formTemplate(example).map(([key, value]) => ({ key, value, type: 'text' })),
    }
  }
  return { mode: 'raw', raw: bodyTemplate(example), options: { raw: { language: 'json' } } }
}

/** Takes ids from a response that was successful. */
function setting(variables: ReturnType<typeof variablesFrom>): readonly string[] {
  return [
    'if (pm.response.code < 300) {',
    '  const it = pm.response.json()',
    ...variables.map(({ name, path }) => `  pm.collectionVariables.set('${name}', it.${path})`),
    '}',
  ]
}

function script(listen: 'prerequest' | 'test', exec: readonly string[]) {
  return { listen, script: { type: 'text/javascript', exec } }
}
