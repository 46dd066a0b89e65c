/** Tests the samples of docs/webhooks.md: an authentic delivery is accepted, any other is rejected. */
import { execFile, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version']).status === 0
const SECRET = 'mJ2fTq8Zc0RrYw4uXkLh6VbN1sPd3GeA7oQiUyC5tEw'
const BODY = '{"id":"1","type":"webhook.test","name":"Ørsta"}'
const [TIMESTAMP, SIGNATURE] = ['X-SVC-Webhook-Timestamp', 'X-SVC-Webhook-Signature'] as const
const now = Math.floor(Date.now() / 1000)
const sign = (timestamp: number, secret = SECRET, body = BODY) =>
  `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
const headersOf = (timestamp: string | number, signature: string) => ({
  [TIMESTAMP]: String(timestamp),
  [SIGNATURE]: signature,
})

type Delivery = readonly [what: string, headers: Readonly<Record<string, string>>, genuine: boolean]
const DELIVERIES: readonly Delivery[] = [
  ['as it is sent', headersOf(now, sign(now)), true],
  ['with another secret', headersOf(now, sign(now, 'other')), false],
  ['with another body', headersOf(now, sign(now, SECRET, '{}')), false],
  ['long ago', headersOf(now - 900, sign(now - 900)), false],
  ['in the future', headersOf(now + 900, sign(now + 900)), false],
  ['without headers', {}, false],
  ['without a signature', { [TIMESTAMP]: String(now) }, false],
  ['without a timestamp', { [SIGNATURE]: sign(now) }, false],
  ['with an empty signature', headersOf(now, ''), false],
  ['with half a signature', headersOf(now, sign(now).slice(0, 30)), false],
  ['with a signature of other characters', headersOf(now, `v1=${'ø'.repeat(64)}`), false],
  ['with a timestamp that is no number', headersOf('soon', sign(now)), false],
  ['with an overlong timestamp', headersOf('9'.repeat(400), sign(now)), false],
]

let samples: string
beforeAll(async () => {
  samples = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
})

function sampleIn(language: string): string {
  const [, sample = ''] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(samples) ?? []
  return sample
}

describe('the sample of docs/webhooks.md', () => {
  test('in Node returns true for an authentic delivery, and false for any other', async () => {
    const cases = DELIVERIES.map(([, headers]) =>
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    )
    const asking = `
      const body = Buffer.from(${JSON.stringify(BODY)})
      console.log(JSON.stringify(${JSON.stringify(cases)}.map((headers) => isGenuine(body, headers, '${SECRET}'))))`
    const words = ['--input-type=module', '--eval', sampleIn('js') + asking]
    expect(namedResults(JSON.parse((await run(process.execPath, words)).stdout))).toEqual(wanted())
  })

  test.runIf(hasPython)('in Python returns true for an authentic delivery, and false for any other', async () => {
    const cases = JSON.stringify(JSON.stringify(DELIVERIES.map(([, headers]) => headers)))
    const asking = `
import json
body = ${JSON.stringify(BODY)}.encode()
print(json.dumps([is_genuine(body, headers, "${SECRET}") for headers in json.loads(${cases})]))`
    expect(namedResults(JSON.parse((await run('python3', ['-c', sampleIn('python') + asking])).stdout))).toEqual(
      wanted(),
    )
  })
})

const wanted = () => DELIVERIES.map(([what, , genuine]) => [what, genuine])
const namedResults = (answers: readonly unknown[]) => DELIVERIES.map(([what], at) => [what, answers[at]])
