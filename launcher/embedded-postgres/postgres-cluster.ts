/** Creates the data directory of an embedded PostgreSQL once, and keeps what must stay the same between starts. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Notices, Place } from './postgres-location.ts'
import type { Cluster } from './postmaster.ts'

/** The cluster's own superuser; nobody else has one. */
export const USER = 'havn'
/** TCP on loopback works for every operating system user and however deep the folder is. */
export const ADDRESS = '127.0.0.1'

const Facts = Type.Object({ mark: Type.String(), port: Type.Integer(), password: Type.String() })
/** What `cluster.json` keeps: a random mark, the port used last, the password. */
export type Facts = Static<typeof Facts>

const run = promisify(execFile)

/** The facts of the cluster in a place; made when there is none. */
export async function prepareCluster(place: Place, notices: Notices): Promise<Facts> {
  const kept = await readFacts(place.folder)
  if (!(await isFolder(dataDirectoryOf(place.folder)))) {
    notices.info('Creating the database cluster')
    return await createCluster(place)
  }
  if (kept === undefined) {
    throw new Error(`${place.folder} holds a database but no readable cluster.json: restore that file, or reset`)
  }
  return kept
}

/** The cluster in a folder as its processes show it, or undefined when the folder holds none. */
export async function clusterIn(folder: string): Promise<Cluster | undefined> {
  const facts = await readFacts(folder)
  if (facts === undefined) {
    return undefined
  }
  // The path is part of the name: a copied folder must not be taken for the original.
  const path = await realpath(folder)
  const name = createHash('sha256').update(`${path}\n${facts.mark}`).digest('hex').slice(0, 16)
  return { name: `havn-${name}`, dataDirectory: dataDirectoryOf(path) }
}

/** The port used last, or another one when a different program has taken it meanwhile. */
export async function claimPort(folder: string, facts: Facts): Promise<number> {
  const port = (await freePort(facts.port)) ?? (await freePort(0))
  if (port === undefined) {
    throw new Error(`No port is free on ${ADDRESS}`)
  }
  if (port !== facts.port) {
    await keepFacts(folder, { ...facts, port })
  }
  return port
}

function dataDirectoryOf(folder: string): string {
  return join(folder, 'data')
}

/** The directory gets its name last, so that an interrupted run leaves none that looks finished. */
async function createCluster(place: Place): Promise<Facts> {
  const facts = { mark: randomBytes(12).toString('hex'), port: 0, password: randomBytes(24).toString('base64url') }
  await keepFacts(place.folder, facts)
  const unfinished = join(place.folder, 'unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await initdb(place, unfinished, facts.password)
  await rename(unfinished, dataDirectoryOf(place.folder))
  return facts
}

async function initdb(place: Place, directory: string, password: string): Promise<void> {
  const passwordFile = join(place.folder, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (place.account !== undefined) {
    await chown(passwordFile, place.account.uid, place.account.gid)
  }
  try {
    await run(
      join(place.programs, 'bin', 'initdb'),
      [
        `--pgdata=${directory}`,
        `--username=${USER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own C.UTF-8 needs no locale of the system and sorts alike everywhere.
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
      ],
      { ...place.account, cwd: '/' },
    )
  } finally {
    await rm(passwordFile, { force: true })
  }
}

async function freePort(wanted: number): Promise<number | undefined> {
  const server = createServer()
  return await new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen({ host: ADDRESS, port: wanted }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined))
    })
  })
}

/** What a folder keeps of its cluster, or undefined. */
export async function readFacts(folder: string): Promise<Facts | undefined> {
  const text = await readFile(join(folder, 'cluster.json'), 'utf8').catch(() => 'null')
  try {
    return Value.Parse(Facts, JSON.parse(text))
  } catch {
    return undefined
  }
}

async function keepFacts(folder: string, facts: Facts): Promise<void> {
  const file = join(folder, 'cluster.json')
  await writeFile(`${file}.new`, `${JSON.stringify(facts)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function isFolder(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
