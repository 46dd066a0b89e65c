/** Says what an address is, as banks are told one. */

/** Where a receiver is; members are filled, and those that nobody gave are absent. */
export type PostalAddress = {
  readonly streetName?: string
  readonly buildingNumber?: string
  readonly city?: string
  readonly postCode?: string
  readonly country: string
}
