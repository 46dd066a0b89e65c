/** Shows that every connection uses our certificate, and that replacing it interrupts no call. */
import { createServer, type Server } from 'node:https'
import { TLSSocket } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type TestCertificates, testCertificates } from '../../testing/gateway/test-certificates.ts'
import { parseTppCertificate } from '../certificates/tpp-certificate.ts'
import { sampleBank } from '../testing/samples.ts'
import { openBankHttpClient } from './bank-http-client.ts'

type Identity = ReturnType<NonNullable<Parameters<typeof openBankHttpClient>[0]['identity']>>
type Held = { readonly serial: string; answer(): void }

let made: TestCertificates
let server: Server
let address: string
let held: Held[]
let identity: Identity
let line: ReturnType<typeof openBankHttpClient>

beforeEach(async () => {
  made = await testCertificates()
  held = []
  identity = { name: null, qwac: await newQwac(), authorities: made.authority.certificate }
  line = openBankHttpClient({ observer: () => undefined, identity: () => identity })
  const { certificate: cert, key, clientAuthorities: ca } = made.trust
  server = createServer({ cert, key, ca, requestCert: true, maxVersion: 'TLSv1.3' }, (request, response) => {
    const { socket } = request
    const serialNumber = socket instanceof TLSSocket ? socket.getPeerCertificate().serialNumber : ''
    const answer = () => void response.end(serialNumber)
    if (request.url === '/slow') {
      held.push({ serial: serialNumber, answer })
    } else {
      answer()
    }
  })
  address = await listening(server)
})
afterEach(async () => {
  await line.close()
  server.closeAllConnections()
  server.close()
  await made.remove()
})

async function newQwac() {
  const { certificate, key } = await made.qwac()
  return parseTppCertificate('QWAC', certificate, key)
}

async function listening(one: Server): Promise<string> {
  await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve))
  const found = one.address()
  return `https://127.0.0.1:${typeof found === 'object' && found !== null ? found.port : 0}`
}

function ask(path = '/') {
  const request = { operation: 'probe', method: 'GET', url: `${address}${path}`, headers: {} } as const
  return line.fetch(sampleBank({ address }), request)
}

test('the certificate of a server is verified, also with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  try {
    identity = { ...identity, authorities: null }
    await expect(ask()).rejects.toThrow()
    expect(held).toEqual([])
  } finally {
    vi.unstubAllEnvs()
  }
})

describe('the certificate for connections', () => {
  test('is shown to banks', async () => {
    expect((await ask()).body).toBe(identity.qwac?.certificate.serialNumber)
  })

  test('is replaced from the next call on when it was changed, and a call in progress continues', async () => {
    const first = identity.qwac?.certificate.serialNumber
    const slow = ask('/slow')
    await expect.poll(() => held.length).toBe(1)
    identity = { ...identity, qwac: await newQwac() }
    expect((await ask()).body).toBe(identity.qwac?.certificate.serialNumber)
    expect(identity.qwac?.certificate.serialNumber).not.toBe(first)
    held[0]?.answer()
    expect(await slow).toMatchObject({ status: 200, body: first })
  })
})

describe('a bank', () => {
  test('without a trusted certificate is not called', async () => {
    identity = { ...identity, authorities: null }
    await expect(ask()).rejects.toMatchObject({ sent: false, message: expect.stringMatching(/UNABLE_TO|SELF_SIGNED/) })
    expect(held).toEqual([])
  })

  test('with an older TLS than 1.2 is not called', async () => {
    const { certificate: cert, key } = made.trust
    const old = createServer({ cert, key, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'ALL:@SECLEVEL=0' })
    address = await listening(old)
    await expect(ask()).rejects.toMatchObject({ sent: false })
    old.close()
  })
})
