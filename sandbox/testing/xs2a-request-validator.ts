/** Validates requests to banks against the standard's OpenAPI file, without code of the connector. */
import { createSchemaCheck, textSchema } from './xs2a-schema-check.ts'
import { bodyOf, operationOf, parametersOf, readXs2aStandard } from './xs2a-standard.ts'

export type SentRequest = {
  readonly method: string
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What is wrong with a request. Those of OAuth, which are not below `/v1`, are not in the standard. */
export type Xs2aRequestValidator = (request: SentRequest) => readonly string[]

export function createXs2aRequestValidator(): Xs2aRequestValidator {
  const standard = readXs2aStandard()
  const check = createSchemaCheck(standard)
  return ({ method, url, headers, body }) => {
    const { pathname, searchParams } = new URL(url)
    const begin = pathname.indexOf('/v1/')
    if (begin < 0) {
      return []
    }
    const operation = operationOf(standard, method, pathname.slice(begin))
    if (operation === undefined) {
      return ['the standard has no such operation']
    }
    const errors = parametersOf(standard, operation).map(({ name, in: place, required, schema }) => {
      const value = place === 'query' ? searchParams.get(name) : headers[name.toLowerCase()]
      const error = value == null ? required === true && 'is missing' : check(textSchema(schema), value)
      return error && `${place} ${name}: ${error}`
    })
    const expected = bodyOf(standard, operation)
    const media = expected?.content[headers['content-type'] ?? '']
    if (body === undefined) {
      errors.push(expected?.required === true && 'the body is missing')
    } else {
      errors.push(
        media === undefined
          ? `there is no body of the type ${headers['content-type']}`
          : check(media.schema, JSON.parse(body)),
      )
    }
    return errors.filter((error) => typeof error === 'string')
  }
}
