/** Creates the data directory of an embedded PostgreSQL once, and stores its permanent properties. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chooseFreePort, isFreePort } from '../free-ports.ts'
import type { PostgresLocation, StartNotices } from './postgres-location.ts'
import type { Cluster } from './postmaster.ts'

/** The cluster's own superuser, and its only one. */
export const SUPERUSER = 'havn'
/** A cluster that has not run yet. */
const NO_PORT = 0

/** The content of `cluster.json`: a random id, the port used last, the password. */
export type ClusterFile = { readonly mark: string; readonly port: number; readonly password: string }

const run = promisify(execFile)

/** The properties of the cluster at a location; created when there is none. */
export async function prepareCluster(place: PostgresLocation, notices: StartNotices): Promise<ClusterFile> {
  const stored = await readClusterFile(place.folder)
  if (!existsSync(dataDirectoryOf(place.folder))) {
    notices.info('Creating the database cluster')
    return await createCluster(place)
  }
  if (stored === undefined) {
    throw new Error(`${place.folder} contains a database but no readable cluster.json: restore that file, or reset`)
  }
  return stored
}

/** The cluster in a folder as its processes identify it, or undefined when the folder has none. */
export async function findCluster(folder: string): Promise<Cluster | undefined> {
  const facts = await readClusterFile(folder)
  return facts === undefined ? undefined : await clusterOf(folder, facts)
}

/** The path is part of the name: a copied folder must not be mistaken for the original. */
export async function clusterOf(folder: string, { mark }: ClusterFile): Promise<Cluster> {
  const path = await realpath(folder)
  const name = createHash('sha256').update(`${path}\n${mark}`).digest('hex').slice(0, 16)
  return { name: `havn-${name}`, dataDirectory: dataDirectoryOf(path) }
}

/** The port used last, or another one when there is none or a different program has occupied it meanwhile. */
export async function claimPort(folder: string, facts: ClusterFile): Promise<number> {
  if (facts.port !== NO_PORT && (await isFreePort(facts.port))) {
    return facts.port
  }
  const port = await chooseFreePort()
  await writeClusterFile(folder, { ...facts, port })
  return port
}

function dataDirectoryOf(folder: string): string {
  return join(folder, 'data')
}

/** The directory is renamed last, so that an interrupted run leaves none that looks complete. */
async function createCluster(place: PostgresLocation): Promise<ClusterFile> {
  const facts = {
    mark: randomBytes(12).toString('hex'),
    port: NO_PORT,
    password: randomBytes(24).toString('base64url'),
  }
  await writeClusterFile(place.folder, facts)
  const unfinished = join(place.folder, 'unfinished')
  await rm(unfinished, { recursive: true, force: true })
  await initdb(place, unfinished, facts.password)
  await rename(unfinished, dataDirectoryOf(place.folder))
  return facts
}

async function initdb(place: PostgresLocation, directory: string, password: string): Promise<void> {
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
        `--username=${SUPERUSER}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        // PostgreSQL's own C.UTF-8 needs no locale of the system and sorts the same everywhere.
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

export async function readClusterFile(folder: string): Promise<ClusterFile | undefined> {
  const text = await readFile(join(folder, 'cluster.json'), 'utf8').catch(() => 'null')
  try {
    const file: unknown = JSON.parse(text)
    return isClusterFile(file) ? file : undefined
  } catch {
    return undefined
  }
}

function isClusterFile(value: unknown): value is ClusterFile {
  const { mark, port, password } = (value ?? {}) as Partial<Record<keyof ClusterFile, unknown>>
  return typeof mark === 'string' && Number.isInteger(port) && typeof password === 'string'
}

async function writeClusterFile(folder: string, facts: ClusterFile): Promise<void> {
  const file = join(folder, 'cluster.json')
  await writeFile(`${file}.new`, `${JSON.stringify(facts)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
