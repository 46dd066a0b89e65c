/** Tests that the example in the README equals the program, and that the program succeeds. */
import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { examplesByOperation } from '../contract/examples/examples-by-operation.ts'
import type { Operation } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { type ScriptedGateway, scriptedGateway } from './scripted-gateway.ts'

const { paymentId } = examplesByOperation.initiateDomesticPayment[0].answer
let service: ScriptedGateway | undefined

afterEach(() => service?.close())

describe('the example', () => {
  it('equals the example in the README', () => {
    const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
    const [, shown] = /```ts\n(.*?)```/s.exec(read('README.md')) ?? []
    const [, ...program] = read('example.ts').split('\n')
    expect(shown).toBe(program.join('\n'))
  })

  it('pays a supplier', async () => {
    service = await scriptedGateway(({ method, url }) => {
      const entry = Object.values<Operation>(operations).find(
        ({ method: asked, path }) => asked === method && matches(path, url),
      )
      const examples = Object.entries(examplesByOperation).find(([id]) => id === entry?.id)?.[1]
      return { status: entry?.answer.status ?? 404, body: examples?.[0].answer }
    })
    process.env['HAVN_URL'] = service.url
    await import('./example.ts')
    expect(service.requests.map(({ method, url }) => `${method} ${url.split('?')[0]}`)).toContain(
      'POST /api/v2/payments',
    )
    expect(service.requests.at(-1)?.url).toBe(`/api/v2/payments/${paymentId}/status`)
  })
})

function matches(path: string, url: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url.split('?')[0] ?? '')
}
