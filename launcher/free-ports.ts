/** Finds ports that are free, and reports what to do about required ones that are in use. */
import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Everything on one machine listens on loopback only: the sandbox's control API needs no password. */
export const LOOPBACK = '127.0.0.1'

/**
 * Ports above those of servers in tests (`gateway/testing/gateway/free-ports.ts`), and below those that systems give to
 * outgoing connections and to listeners on port 0 (on Linux from 32768, elsewhere from 49152): one of those could be
 * given to another process between its choice and its use.
 */
export const FIRST_PORT = 21_400
const LAST_PORT = 32_767

const PORT_TRIES = 100

export type Port = { readonly program: string; readonly variable: string; readonly number: number }

/** Throws with one sentence per port in use. */
export async function requireFreePorts(ports: readonly Port[]): Promise<void> {
  const inUse = await Promise.all(ports.map(async (port) => ((await isFreePort(port.number)) ? [] : [port])))
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

/** Chooses a free port, or the first of so many in a row, which stays the same over restarts of the program that gets it. */
export async function chooseFreePort(inRow = 1): Promise<number> {
  for (let tries = 0; tries < PORT_TRIES; tries++) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 2 - inRow)
    if (await areFreePorts(port, inRow)) {
      return port
    }
  }
  throw new Error(`No port is free at ${LOOPBACK} between ${FIRST_PORT} and ${LAST_PORT}`)
}

/** Whether a port and those that follow it are free. */
export async function areFreePorts(first: number, count: number): Promise<boolean> {
  const free = await Promise.all(Array.from({ length: count }, (_, index) => isFreePort(first + index)))
  return free.every(Boolean)
}

/** Whether nothing listens on a port of the loopback address. */
export async function isFreePort(port: number): Promise<boolean> {
  const server = await listenOn(port)
  return server !== undefined && (await new Promise((resolve) => server.close(() => resolve(true))))
}

/** A server that holds a port of the loopback address; undefined when another one listens there. */
export async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host: LOOPBACK, port }, () => resolve(server))
  })
}
