/** Declares what a step of `npm run test:clients` is given and what it returns. */

/** A step: it installs what it needs into its folder, and throws when something fails. */
export type ClientStep = {
  /** By which it is selected: `npm run test:clients -- NAME`. */
  readonly name: string
  /** What it shows, for the progress. */
  readonly title: string
  run(environment: ClientEnvironment): Promise<ClientOutcome>
}

/** What a step works with. */
export type ClientEnvironment = {
  /** An empty folder of the step, deleted at the end. */
  readonly folder: string
  /** The running gateway, with processes and database of its own; it starts at the first call. */
  gateway(): Promise<ClientGateway>
  /** Runs a program in a folder, and returns what it printed. Throws with the end of that when it fails. */
  run(program: string, options: readonly string[], changes?: RunChanges): Promise<string>
  /** Prints a line of progress. */
  report(line: string): void
}

export type RunChanges = {
  /** By default the folder of the step. */
  readonly folder?: string
  /** Additional environment variables. */
  readonly variables?: Readonly<Record<string, string>>
}

/** A gateway in sandbox mode and the credentials of its demo partner. */
export type ClientGateway = { readonly url: string; readonly clientId: string; readonly clientSecret: string }

/** The columns of the table: what was shown, or why it was not; a step without generated client leaves them out. */
export type ClientOutcome = {
  readonly language?: string
  /** Generated operations out of all, for example `78/78`. */
  readonly operations?: string
  readonly compiled?: string
  readonly paid?: string
}

/** The gateway and its credentials, as the environment variables of a client's program. */
export async function gatewayVariables({
  gateway,
}: Pick<ClientEnvironment, 'gateway'>): Promise<Readonly<Record<string, string>>> {
  const { url, clientId, clientSecret } = await gateway()
  return { HAVN_URL: url, HAVN_CLIENT_ID: clientId, HAVN_CLIENT_SECRET: clientSecret }
}
