/** `havn health`: whether a gateway or worker on this machine is alive, for the health checks of container engines. */

import { isIPv6 } from 'node:net'

/** Container engines wait a few seconds for a health check; a gateway or worker answers in milliseconds. */
const ANSWER_MILLISECONDS_MAX = 3_000
/** The ports without settings; a worker's is chosen freely then, and logged. */
const PORTS = { gateway: ['HAVN_PORT', '8080'], worker: ['HAVN_WORKER_PORT', '0'] } as const

/** Prints the role that answers; throws an error with what was tried when none does. */
export async function checkHealth(environment: NodeJS.ProcessEnv): Promise<void> {
  const host = hostOf(environment['HAVN_HOST']?.trim() ?? '')
  const results = await Promise.all(
    Object.entries(PORTS).map(async ([role, [setting, standard]]) => {
      const port = environment[setting]?.trim() || standard
      return port === '0' ? undefined : { role, port, fault: await faultAt(`${host}:${port}`) }
    }),
  )
  const asked = results.filter((result) => result !== undefined)
  const alive = asked.find(({ fault }) => fault === undefined)
  if (alive === undefined) {
    const tried = asked.map(({ role, port, fault }) => `no ${role} on port ${port}: ${fault}`)
    const ports = 'The ports are those of HAVN_PORT and HAVN_WORKER_PORT'
    throw new Error(tried.length === 0 ? `${ports}, and both are 0` : `${tried.join('; ')}. ${ports}`)
  }
  console.log(`The ${alive.role} on port ${alive.port} is alive`)
}

/** The one address at which it listens, as in a URL; what listens at every address does so on this machine, too. */
function hostOf(listened: string): string {
  return ['', 'localhost', '0.0.0.0', '::'].includes(listened.toLowerCase())
    ? '127.0.0.1'
    : isIPv6(listened)
      ? `[${listened}]`
      : listened
}

async function faultAt(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(`http://${address}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX),
    })
    return response.ok ? undefined : `it answers ${response.status}`
  } catch (error) {
    const { message, cause } = Object(error)
    return String(Object(cause).code ?? message)
  }
}
