/** Compares a received delivery with the webhooks of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { openApiDocument } from '../../../contract/openapi/openapi-document.ts'
import type { Received } from './webhook-receiver.ts'

const Schema = Type.Object({}, { additionalProperties: true })
const Webhook = Type.Object({
  post: Type.Object({
    parameters: Type.Array(Type.Object({ name: Type.String(), required: Type.Boolean(), schema: Schema })),
    requestBody: Type.Object({ content: Type.Object({ 'application/json': Type.Object({ schema: Schema }) }) }),
  }),
})

type Check = (received: Received) => readonly string[]

const checkByName = new Map<string, Check>()

/** What differs from the webhook of this name: headers that are missing or have another form, and errors in the body. */
export function webhookViolations(name: string, received: Received): readonly string[] {
  const check = checkByName.get(name) ?? compileCheck(name)
  checkByName.set(name, check)
  return check(received)
}

let opened: { readonly document: Readonly<Record<string, unknown>>; readonly ajv: Ajv2020 } | undefined

/** The document, and a validator that knows its components; the webhooks have most of them in common. */
function openDocument() {
  const document = openApiDocument()
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'havn', components: document['components'] })
  return { document, ajv }
}

function compileCheck(name: string): Check {
  opened ??= openDocument()
  const { document, ajv } = opened
  const { post } = Value.Parse(Webhook, Object(document['webhooks'])[name])
  const compile = (schema: object, where: string) => {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"havn#/components/')))
    return (value: unknown): readonly string[] => {
      validate(value)
      return (validate.errors ?? []).map(({ instancePath, message }) => `${where}${instancePath} ${message}`)
    }
  }
  const headerChecks = post.parameters.map(({ name: header, required, schema }) => {
    return { header, required, check: compile(schema, header) }
  })
  const checkBody = compile(post.requestBody.content['application/json'].schema, 'body')
  return ({ headers, body }) => [
    ...headerChecks.flatMap(({ header, required, check }) => {
      const value = headers[header.toLowerCase()]
      return value === undefined ? (required ? [`${header} is missing`] : []) : check(value)
    }),
    ...checkBody(JSON.parse(body.toString())),
  ]
}
