/** Checks that the required ports are free before anything starts, and reports what to do about those in use. */
import { createServer } from 'node:net'
import { LOOPBACK, type Port } from './start-settings.ts'

/** Throws with one sentence per port in use. */
export async function requireFreePorts(ports: readonly Port[]): Promise<void> {
  const inUse = await Promise.all(ports.map(async (port) => ((await isFree(port.number)) ? [] : [port])))
  const sentences = inUse
    .flat()
    .map(
      ({ program, variable, number }) =>
        `Port ${number} is needed for ${program}, but another program uses it. ` +
        `End that program, or choose another port: ${variable}=${number + 1000} npm start`,
    )
  if (sentences.length > 0) {
    throw new Error(sentences.join('\n'))
  }
}

/** Chooses a free port, which stays the same over restarts of the program that gets it. */
export async function chooseFreePort(): Promise<number> {
  const port = await listenBriefly(0)
  if (port === undefined) {
    throw new Error(`No port is free at ${LOOPBACK}`)
  }
  return port
}

async function isFree(port: number): Promise<boolean> {
  return (await listenBriefly(port)) !== undefined
}

async function listenBriefly(port: number): Promise<number | undefined> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host: LOOPBACK, port }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}
