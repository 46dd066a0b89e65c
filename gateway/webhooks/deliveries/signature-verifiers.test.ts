/** Verifies recorded deliveries with independent programs: openssl, and Python's hmac where it is installed. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoPartnerId, enqueueStatusChange } from '../../testing/webhooks/enqueue-status-change.ts'
import { startWebhookGateway, type WebhookGateway } from '../../testing/webhooks/webhook-gateway.ts'
import type { Received } from '../../testing/webhooks/webhook-receiver.ts'

/** A delivery as a receiver records it: two headers, the bytes of the body in a file, and the secret from the API. */
type Recorded = {
  readonly timestamp: string
  readonly signature: string
  readonly bodyFile: string
  readonly secret: string
}

const run = promisify(execFile)
const HAS_PYTHON = succeeds('python3', '--version')

/** As our documentation describes it, in Python: arguments are timestamp, secret and the file of each body. */
const PYTHON = `
import hashlib, hmac, sys
words = iter(sys.argv[1:])
for timestamp, secret, file in zip(words, words, words):
    signed = timestamp.encode() + b"." + open(file, "rb").read()
    print("v1=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest())
`

let webhooks: WebhookGateway
let folder: string
let recorded: readonly Recorded[]
beforeAll(async () => {
  webhooks = await startWebhookGateway()
  folder = await mkdtemp(join(tmpdir(), 'havn-recorded-'))
  recorded = await record()
})
afterAll(async () => {
  await webhooks.close()
  await rm(folder, { recursive: true })
})

/** Events with texts in several scripts, a test, a failed attempt and its retry, under an old and a new secret. */
async function record(): Promise<readonly Recorded[]> {
  const { gateway, receiver } = webhooks
  const partnerId = await demoPartnerId(gateway)
  const { id, signingSecret } = await webhooks.subscribe('/recorded')
  const changed = {
    statusReason: 'InsufficientFunds',
    statusReasonText: 'Beløpet er for høyt – 残高不足 🚢\n"\\',
  } as const
  receiver.behave((response) => response.writeHead(503).end())
  await enqueueStatusChange(gateway, partnerId, 'CustomerActionRequired', changed)
  await gateway.sweep()
  receiver.behave((response) => response.writeHead(204).end())
  await gateway.client.moveSandboxClock({ body: { advance: 'PT2M' } })
  await enqueueStatusChange(gateway, partnerId, 'Completed')
  await gateway.sweep()
  await gateway.client.testWebhookSubscription({ params: { id } })
  const before = receiver.received.length
  const rotated = await gateway.client.rotateWebhookSigningSecret({ params: { id } })
  await enqueueStatusChange(gateway, partnerId, 'Rejected', changed)
  await gateway.sweep()
  return await Promise.all(
    receiver.received.map((each, at) => keep(each, at, at < before ? signingSecret : rotated.signingSecret)),
  )
}

async function keep({ headers, body }: Received, at: number, secret: string): Promise<Recorded> {
  const bodyFile = join(folder, `${at}.json`)
  await writeFile(bodyFile, body)
  const [timestamp = '', signature = ''] = [headers['x-svc-webhook-timestamp'], headers['x-svc-webhook-signature']]
  return { timestamp, signature, bodyFile, secret }
}

/** The secret is passed as hexadecimal, so that no byte has a meaning on the command line. */
async function opensslOf({ timestamp, bodyFile, secret }: Recorded): Promise<string> {
  const key = `hexkey:${Buffer.from(secret, 'utf8').toString('hex')}`
  const sign = `{ printf '%s.' "$1"; cat "$2"; } | openssl dgst -sha256 -mac HMAC -macopt "$3" -r`
  const { stdout } = await run('sh', ['-c', sign, 'sh', timestamp, bodyFile, key])
  return `v1=${stdout.split(' ')[0]}`
}

async function pythonOf(deliveries: readonly Recorded[]): Promise<readonly string[]> {
  const words = deliveries.flatMap(({ timestamp, secret, bodyFile }) => [timestamp, secret, bodyFile])
  const { stdout } = await run('python3', ['-c', PYTHON, ...words])
  return stdout.trim().split('\n')
}

function succeeds(program: string, ...words: readonly string[]): boolean {
  try {
    execFileSync(program, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('recorded deliveries', () => {
  it('are those that were sent', () => {
    expect(recorded).toHaveLength(5)
    expect(new Set(recorded.map(({ secret }) => secret)).size).toBe(2)
    expect(recorded.every(({ signature }) => /^v1=[0-9a-f]{64}$/.test(signature))).toBe(true)
  })

  it('carry the signature that openssl computes, and no other', async () => {
    for (const each of recorded) {
      expect(await opensslOf(each)).toBe(each.signature)
    }
    const [first] = recorded as [Recorded]
    expect(await opensslOf({ ...first, secret: `${first.secret} ` })).not.toBe(first.signature)
    expect(await opensslOf({ ...first, timestamp: String(Number(first.timestamp) + 1) })).not.toBe(first.signature)
  })

  it.runIf(HAS_PYTHON)('carry the signature that Python computes', async () => {
    expect(await pythonOf(recorded)).toEqual(recorded.map(({ signature }) => signature))
  })
})
