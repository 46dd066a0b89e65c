/** The parts of the OpenAPI document that the Python client is generated from. */
import { readFileSync } from 'node:fs'

/** A schema of the document. */
export type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  readonly pattern?: string
  readonly deprecated?: boolean
  readonly enum?: readonly string[]
  readonly const?: string | boolean
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

/** A parameter of an operation, or a reference to one. */
export type Parameter = {
  readonly $ref?: string
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: Schema
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

/** An operation of the document, or a delivery of a webhook. */
export type OpenApiOperation = {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly security?: readonly object[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type PathItem = Readonly<Record<string, OpenApiOperation>>

/** The document as a whole. */
export type OpenApiDocument = {
  readonly paths: Readonly<Record<string, PathItem>>
  readonly webhooks: Readonly<Record<string, { readonly post: OpenApiOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
}

/** Reads `docs/openapi.json`. */
export function readDocument(): OpenApiDocument {
  const written = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')
  return JSON.parse(written) as OpenApiDocument
}

/** The name of the component that a reference points to. */
export function referredName({ $ref }: { readonly $ref?: string }): string | undefined {
  return $ref?.split('/').at(-1)
}
