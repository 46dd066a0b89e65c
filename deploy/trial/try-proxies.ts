/** Pays through a proxy, and stops a gateway behind it while requests come. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { demoCredentials } from '../../contract/examples/demo-fixture.ts'
import { sandboxClient } from '../../gateway/testing/gateway/sandbox-client.ts'
import { acceptedConsent } from '../../gateway/testing/payments/sample-payments.ts'
import { chooseFreePort } from '../../launcher/free-ports.ts'
import type { HavnClient } from '../../sdk/index.ts'
import { runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { interruptDatabase, nextDueDate, orderPayment } from './interrupt-database.ts'
import { type Installation, startInstallation } from './start-installation.ts'
import { type ProxyName, startProxy } from './start-proxies.ts'

type Consented = Awaited<ReturnType<typeof acceptedConsent>>

/** A payment and a payroll, each signed, settled and delivered as a webhook. */
const TRIGGERED = ['PAYMENT_STATUS_COMPLETED', 'PAYROLL_STATUS_COMPLETED'] as const
const CALLERS = 8
/** Larger than any request of the API. */
const LARGE_BYTES = 17 * 1024 * 1024

export async function tryProxies(folder: string): Promise<string> {
  const installation = await startInstallation(folder)
  try {
    const authority = await readFile(installation.certificates.authority, 'utf8')
    setDefaultCACertificates([...getCACertificates('default'), authority])
    const seen: string[] = []
    for (const name of ['HAProxy', 'Caddy'] as const) {
      seen.push(await tryProxy(name, installation))
    }
    seen.push(await tryInterruptions(installation))
    return seen.join('; ')
  } finally {
    await installation.close()
  }
}

async function tryProxy(name: ProxyName, installation: Installation): Promise<string> {
  const { publicPort: port, server, gateways, folder } = installation
  const httpPort = await chooseFreePort()
  const proxy = await startProxy(name, { folder: join(folder, name), port, httpPort, ...server, gateways })
  const url = `https://localhost:${port}`
  try {
    await requireHeaders(url)
    await requireNoRedirectOfPrograms(httpPort)
    await requireLimit(url, installation)
    await requireOutageAnswer(url, installation)
    for (const type of TRIGGERED) {
      await trigger(type, url, installation)
    }
    const requests = await stopUnderLoad(url, installation)
    return `${name}: a payment and a payroll with webhooks, ${requests} requests while a gateway stopped, none failed`
  } catch (error) {
    console.log(proxy.printed().slice(-2_000))
    throw error
  } finally {
    await proxy.stop()
  }
}

async function tryInterruptions(installation: Installation): Promise<string> {
  const { publicPort: port, server, gateways, folder } = installation
  const proxy = await startProxy('HAProxy', { folder: join(folder, 'interruptions'), port, ...server, gateways })
  try {
    return await interruptDatabase(`https://localhost:${port}`, installation)
  } catch (error) {
    console.log(installation.printed())
    throw error
  } finally {
    await proxy.stop()
  }
}

/** Browsers and clients stay with TLS; without a gateway the proxy answers as a gateway would. */
async function requireOutageAnswer(url: string, installation: Installation): Promise<void> {
  const { headers } = await fetch(`${url}/healthz`)
  if (headers.get('strict-transport-security') === null) {
    throw new Error('The proxy sends no Strict-Transport-Security')
  }
  await Promise.all([installation.stopGateway(0), installation.stopGateway(1)])
  const answer = await fetch(`${url}/api/v2/payments`)
  const body = await answer.text()
  await Promise.all([installation.startGateway(0), installation.startGateway(1)])
  const retryAfter = answer.headers.get('retry-after')
  if (![502, 503].includes(answer.status) || retryAfter === null || typeof JSON.parse(body).message !== 'string') {
    throw new Error(`Without a gateway the proxy answers ${answer.status}, Retry-After ${retryAfter}: ${body}`)
  }
}

/** A browser gets to https; a program, whose token was readable on its way, gets an error. */
async function requireNoRedirectOfPrograms(httpPort: number): Promise<void> {
  for (const [accept, expected] of [
    ['text/html,application/xhtml+xml', 308],
    ['application/json', 403],
  ] as const) {
    const { status } = await fetch(`http://localhost:${httpPort}/api/v2/payments`, {
      headers: { accept },
      redirect: 'manual',
    })
    if (status !== expected) {
      throw new Error(`Over plain http, the proxy answers ${accept} with ${status} instead of ${expected}`)
    }
  }
}

/** One address arrives, whatever the caller claims, and no header of the API is lost. */
async function requireHeaders(url: string): Promise<void> {
  const headers = {
    'x-forwarded-for': '192.0.2.1, 192.0.2.2',
    'idempotency-key': 'k',
    'consent-id': 'c',
    prefer: 'handling=strict',
  }
  const response = await fetch(`${url}/healthz/request`, { headers })
  const { headers: passed, forwardedFor } = (await response.json()) as {
    headers: readonly string[]
    forwardedFor: number
  }
  if (forwardedFor !== 1 || passed.length !== 3) {
    throw new Error(`The proxy passes on ${passed.join(', ')} and ${forwardedFor} addresses`)
  }
}

/** A request on a connection of its own: the proxy stops reading it. */
async function requireLimit(url: string, { certificates, folder }: Installation): Promise<void> {
  const file = join(folder, 'large')
  await writeFile(file, new Uint8Array(LARGE_BYTES))
  const options = ['--silent', '--http1.1', '--cacert', certificates.authority, '--write-out', '\n%{http_code}']
  const target = ['--data-binary', `@${file}`, `${url}/api/v2/payments`]
  const printed = await runProgram('curl', [...options, ...target], { folder })
  if (!printed.endsWith('\n413')) {
    throw new Error(`A request of ${LARGE_BYTES} bytes is answered with ${printed}`)
  }
}

async function trigger(type: string, url: string, { certificates, folder }: Installation): Promise<void> {
  const variables = {
    HAVN_URL: url,
    HAVN_CLIENT_ID: demoCredentials.clientId,
    HAVN_CLIENT_SECRET: demoCredentials.clientSecret,
    HAVN_ENVIRONMENT: 'sandbox',
    NODE_EXTRA_CA_CERTS: certificates.authority,
  }
  await runProgram(process.execPath, [join(ROOT, 'cli', 'havn.ts'), 'trigger', type], { folder, variables })
}

/** Initiations and reads by several callers, from before a gateway gets SIGTERM until another one has replaced it. */
async function stopUnderLoad(url: string, installation: Installation): Promise<number> {
  const client = sandboxClient(url)
  const consent = await acceptedConsent({ client })
  const stop = new AbortController()
  const load = Promise.allSettled(Array.from({ length: CALLERS }, () => callUntil(stop.signal, client, consent)))
  const code = await installation.stopGateway(0)
  await installation.startGateway(0)
  stop.abort()
  const callers = await load
  if (code !== 0) {
    throw new Error(`The gateway ended with ${code} after SIGTERM`)
  }
  const [failed] = callers.filter((caller) => caller.status === 'rejected')
  if (failed !== undefined) {
    throw new Error(`A request failed while a gateway stopped: ${String(failed.reason)}`)
  }
  return callers.reduce((sum, caller) => sum + (caller.status === 'fulfilled' ? caller.value : 0), 0)
}

/** Throws at the first request that fails. */
async function callUntil(stopped: AbortSignal, client: HavnClient, consent: Consented): Promise<number> {
  const dueDate = await nextDueDate(client)
  let count = 0
  while (!stopped.aborted) {
    const paymentId = await orderPayment(client, consent, dueDate)
    await client.getPaymentStatus({ params: { paymentId } })
    count += 2
  }
  return count
}
