/** `havn health`: whether a gateway or worker on this machine is alive, for the health checks of container engines. */

/** Container engines wait a few seconds for a health check; a gateway or worker answers in milliseconds. */
const ANSWER_MILLISECONDS_MAX = 3_000
/** The ports without settings; a worker's is chosen freely then, and logged. */
const PORTS = { gateway: ['HAVN_PORT', '8080'], worker: ['HAVN_WORKER_PORT', '0'] } as const

/** Prints the role that answers; throws an error with what was tried when none does. */
export async function checkHealth(environment: NodeJS.ProcessEnv): Promise<void> {
  const results = await Promise.all(
    Object.entries(PORTS).map(async ([role, [setting, standard]]) => {
      const port = environment[setting] ?? standard
      return port === '0' ? undefined : { role, port, fault: await faultAt(port) }
    }),
  )
  const asked = results.filter((result) => result !== undefined)
  const alive = asked.find(({ fault }) => fault === undefined)
  if (alive === undefined) {
    const tried = asked.map(({ role, port, fault }) => `no ${role} on port ${port}: ${fault}`)
    throw new Error(`${tried.join('; ')}. The ports are those of HAVN_PORT and HAVN_WORKER_PORT`)
  }
  console.log(`The ${alive.role} on port ${alive.port} is alive`)
}

async function faultAt(port: string): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, {
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS_MAX),
    })
    return response.ok ? undefined : `it answers ${response.status}`
  } catch (error) {
    const { message, cause } = Object(error)
    return String(Object(cause).code ?? message)
  }
}
