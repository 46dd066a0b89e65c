/** Validates the OpenAPI document against the standard and its own examples, and checks that it is up to date. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scopesByEnvironment } from '../environments.ts'
import type { Operation } from '../operation.ts'
import { operations } from '../operations.ts'
import { openApiDocument } from './openapi-document.ts'
import { headerParameters } from './parameters.ts'

const document = openApiDocument()

describe('the OpenAPI document', () => {
  it('equals docs/openapi.json (after a change of the contract: npm run openapi)', () => {
    const written: unknown = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'))
    expect(written).toEqual(document)
  })

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect({ valid, version: validator.version }).toEqual({ valid: true, version: '3.1' })
  })

  it('has no dangling references', () => {
    const dangling = nodesOf(document)
      .flatMap(([, node]) => Object.entries(node).filter(([key]) => key === '$ref'))
      .map(([, reference]) => String(reference))
      .filter((reference) => at(reference) === undefined)
    expect(dangling).toEqual([])
  })

  it('uses every component', () => {
    const text = JSON.stringify(document)
    const unused = nodesOf(Object(document['components']))
      .filter(([path]) => /^\/(schemas|parameters|headers|responses)\/\w+$/.test(path))
      .filter(([path]) => !text.includes(`"#/components${path}"`))
    expect(unused.map(([path]) => path)).toEqual([])
  })

  it('names every object and union, because generators of clients give those without name a number', () => {
    const named = /^\/components\/schemas\/\w+$/
    const isShape = (node: Node) => ['properties', 'oneOf', 'anyOf', 'allOf', 'not'].some((keyword) => keyword in node)
    // A branch for null makes the other one nullable, and is no class of its own.
    const isNullable = ({ anyOf }: Node) => Array.isArray(anyOf) && anyOf.length === 2 && anyOf[1].type === 'null'
    const schemas = nodesOf(document).filter(
      ([path]) => !/\/(examples?|properties)(\/|$)/.test(path.replace(/\/properties\/\w+/g, '')),
    )
    const unnamed = schemas.filter(([path, node]) => isShape(node) && !named.test(path) && !isNullable(node))
    expect(unnamed.map(([path]) => path)).toEqual([])
    expect(schemas.filter(([path]) => named.test(path)).length).toBeGreaterThan(150)
  })

  it('has examples that match its schemas', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ $id: 'havn', components: document['components'] })
    const media = nodesOf(document).filter(([, node]) => 'schema' in node && ('examples' in node || 'example' in node))
    expect(media.length).toBeGreaterThan(Object.keys(operations).length)
    // Operations have many schemas in common.
    const checks = new Map<string, ReturnType<typeof ajv.compile>>()
    for (const [path, node] of media) {
      const schema = absolute(node['schema'])
      const check = checks.getOrInsertComputed(JSON.stringify(schema), () => ajv.compile(schema))
      for (const value of valuesOf(node)) {
        check(value)
        expect(check.errors ?? [], path).toEqual([])
      }
    }
  })

  it('marks the operations that exist in the sandbox only', () => {
    const marked = nodesOf(document).filter(([, node]) => node['x-sandbox-only'] === true)
    expect(marked.map(([, node]) => node['operationId'])).toEqual([
      'getSandboxClock',
      'moveSandboxClock',
      'decideSandboxApproval',
      'decideSandboxConsent',
      'decideSandboxCancellation',
      'stepSandboxOnboarding',
      'stepSandboxPayment',
      'setSandboxPaymentStatus',
      'endSandboxConsent',
      'addSandboxEntry',
      'openSandboxInbox',
      'listSandboxInboxDeliveries',
      'disturbSandboxBank',
      'disturbSandboxExchange',
      'stepSandboxPayout',
      'addSandboxArrival',
      'healSandboxBanks',
    ])
  })

  it('gives every parameter one type, which generators of clients need: no union of formats', () => {
    const parameters = nodesOf(document).filter(([, node]) => typeof node['in'] === 'string' && 'schema' in node)
    expect(parameters.length).toBeGreaterThan(20)
    const untyped = parameters.filter(([, node]) => {
      const target = Object(node['schema'])
      const schema = Object(typeof target.$ref === 'string' ? at(target.$ref) : target)
      return typeof schema.type !== 'string' || 'anyOf' in schema || 'oneOf' in schema
    })
    expect(untyped.map(([path]) => path)).toEqual([])
  })

  it('has Prefer as the last parameter of an operation, for clients with parameters by position', () => {
    const prefer = '#/components/parameters/Prefer'
    const having = nodesOf(document).filter(([, { parameters }]) => JSON.stringify(parameters ?? []).includes(prefer))
    expect(having.length).toBeGreaterThan(40)
    const shifted = having.filter(([, { parameters, requestBody }]) => {
      const { required = true, content = {} } = Object(requestBody)
      const followed = !Array.isArray(parameters) || Object(parameters.at(-1)).$ref !== prefer
      // Required bodies come before optional parameters, the optional fields of a form after them.
      return followed || required !== true || 'application/x-www-form-urlencoded' in content
    })
    expect(shifted.map(([path]) => path)).toEqual([])
  })

  it('gives clients in C# no pattern of a date and no boolean with one value, which do not compile there', () => {
    const wrong = nodesOf(document).filter(
      ([, { type, format, ...node }]) =>
        (format === 'date' && 'pattern' in node) || (type === 'boolean' && 'const' in node),
    )
    expect(wrong.map(([path]) => path)).toEqual([])
  })

  it('has no path, tag or scope of the sandbox in production', () => {
    const { paths, tags, components } = Object(openApiDocument(undefined, 'production'))
    const { scopes } = components.securitySchemes.oauth2.flows.clientCredentials
    const kept = Object.values<Operation>(operations).filter(({ sandboxOnly }) => !sandboxOnly)
    expect(new Set(Object.keys(paths))).toEqual(new Set(kept.map(({ path }) => path)))
    expect(Object.keys(paths).filter((path) => path.includes('sandbox'))).toEqual([])
    expect(tags).not.toContainEqual(expect.objectContaining({ name: 'Sandbox' }))
    expect(Object.keys(scopes)).toEqual([scopesByEnvironment.production])
  })

  it('names the servers of the environment that serves it', () => {
    const urls = { base: 'https://api.example', auth: 'https://auth.example', onboarding: 'https://join.example/x' }
    const served = openApiDocument(urls)
    expect(served['servers']).toEqual([{ url: urls.base, description: 'The API.' }])
    const serversOf = (path: string) => Object(Object(served['paths'])[path]).servers
    expect(serversOf(operations.issueToken.path)).toMatchObject([{ url: urls.auth }])
    expect(serversOf(operations.startOnboarding.path)).toMatchObject([{ url: urls.onboarding }])
    const { oauth2 } = Object(served['components']).securitySchemes
    expect(oauth2.flows.clientCredentials.tokenUrl).toBe(`https://auth.example${operations.issueToken.path}`)
  })

  it('accepts exactly the valid IP addresses as PSU-IP-Address', () => {
    const pattern = new RegExp(headerParameters.PsuIpAddress.schema.pattern)
    const odd = fc.stringMatching(/^[0-9a-f:.]{1,20}$/)
    const random = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), odd, fc.string())
    fc.assert(fc.property(random, (text) => pattern.test(text) === (isIP(text) !== 0)))
    for (const text of ['::', '::1', '1::', '::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7::', 'a::b::c']) {
      expect([text, pattern.test(text)]).toEqual([text, isIP(text) !== 0])
    }
    expect(['fe80::1%eth0', '1.2.3.4:80', '[::1]', ' 1.2.3.4'].filter((text) => pattern.test(text))).toEqual([])
  })

  it('contains no annotations that only the server needs', () => {
    expect(nodesOf(document).filter(([, node]) => 'invalid' in node || 'form' in node || 'quotable' in node)).toEqual(
      [],
    )
  })
})

type Node = Readonly<Record<string, unknown>>

/** Every object of the document with the path that leads to it. */
function nodesOf(value: unknown, path = ''): readonly (readonly [string, Node])[] {
  if (typeof value !== 'object' || value === null) {
    return []
  }
  const members = Object.entries(value).flatMap(([name, member]) => nodesOf(member, `${path}/${name}`))
  return Array.isArray(value) ? members : [[path, Object.fromEntries(Object.entries(value))], ...members]
}

function valuesOf(node: Node): readonly unknown[] {
  const named = Object.values(Object(node['examples'])).map((example) => Object(example).value)
  return 'example' in node ? [node['example'], ...named] : named
}

function at(reference: string): unknown {
  const parts = reference.slice(2).split('/')
  return parts.reduce<unknown>((node, part) => Object(node)[part.replaceAll('~1', '/')], document)
}

function absolute(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"havn#/components/'))
}
