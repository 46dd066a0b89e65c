/** The provider's single account, and the single contact of that account. */
export const HOUSE = {
  accountId: '72970a7c-7921-431c-b95f-3438724ba16f',
  contactId: 'a66ca63f-e668-47af-8bb9-74363240d781',
  payerId: '79a8e858-4610-4ac7-a8a6-4bb4aa6a7b66',
} as const
