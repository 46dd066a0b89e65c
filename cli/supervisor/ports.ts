/** Makes sure that the ports are free before anything starts, and says what to do about those that are not. */
import { createServer } from 'node:net'
import { LOOPBACK, type Port } from './settings.ts'

/** Fails with one sentence per port that is taken. */
export async function requireFreePorts(ports: readonly Port[]): Promise<void> {
  const taken = await Promise.all(ports.map(async (port) => ((await isFree(port.number)) ? [] : [port])))
  const sentences = taken
    .flat()
    .map(
      ({ program, variable, number }) =>
        `Port ${number} is needed for ${program}, but another program has it. ` +
        `End that program, or choose another port: ${variable}=${number + 1000} npm start`,
    )
  if (sentences.length > 0) {
    throw new Error(sentences.join('\n'))
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ host: LOOPBACK, port }, () => server.close(() => resolve(true)))
  })
}
