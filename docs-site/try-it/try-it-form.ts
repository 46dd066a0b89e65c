/** Renders what the page's script needs for a form that sends an example to this gateway, in the sandbox only. */
import { html } from 'ghtml'
import { scopesByEnvironment } from '../../contract/environments.ts'
import { DETAILED_ERRORS } from '../../contract/errors/error-bodies.ts'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import type { Operation } from '../../contract/operation.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { DAY_VARIABLES, variablesFrom } from '../examples/example-variables.ts'
import type { RequestExample } from '../examples/request-example.ts'
import { bodyTemplate, formTemplate, headerTemplates, pathTemplate, queryTemplate } from './request-template.ts'

/** How many days from today each day is. */
const DAYS = Object.fromEntries(DAY_VARIABLES.map(({ name, fromToday }) => [name, fromToday]))

/** Nothing in production: its requests move money, and tokens do not belong into a browser. */
export function tryItForm(operation: Operation, example: RequestExample, place: DocsSettings): string {
  if (place.mode !== 'sandbox') {
    return ''
  }
  const query = queryTemplate(example).map(([name, value]) => `${name}=${value}`)
  const request = {
    method: operation.method,
    path: `${pathTemplate(operation, example)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: { ...headerTemplates(operation, example), Prefer: DETAILED_ERRORS },
    ...bodyOf(operation, example),
    defines: variablesFrom(operation, example).map(({ name, path }) => [name, path]),
    destructive: operation.destructive,
    known: knownValues(place),
    days: DAYS,
  }
  return html`<details class="try-it" hidden data-request="${JSON.stringify(request)}"><summary>Try it</summary></details>`
}

function bodyOf({ bodyType }: Operation, example: RequestExample): object {
  if (example.body === undefined) {
    return {}
  }
  return bodyType === 'form'
    ? {
        body: formTemplate(example)
          .map((field) => field.join('='))
          .join('\n'),
        isForm: true,
      }
    : { body: bodyTemplate(example) }
}

/** What need not be entered. */
function knownValues({ mode, demo }: DocsSettings): Readonly<Record<string, string>> {
  const { clientId, clientSecret } = demoCredentials
  return { scope: scopesByEnvironment[mode], ...(demo ? { clientId, clientSecret } : {}) }
}
