import React, { useState, useRef, useContext, createContext, useMemo, forwardRef, FC } from 'react'
import { signal, inject, input } from '@angular/core'
import { ref, reactive } from 'vue'
import { computed } from './own'
import { Props, Session, User, Users } from './m'

const Current = createContext<Session | null>(null)
export const Card: FC<Props> = ({ user }) => user
export const Row = forwardRef<Element, Props>(({ user }, at) => user)
export function page(props: Props) {
  const [user, setUser] = useState<User | null>(null)
  const [made] = React.useState(() => new Users())
  const held = useRef<Users>(null)
  const session = useContext(Current)
  const users = useMemo(() => new Users(), [])
  const { data, error } = useQuery<User>({})
  const { data: other } = axios.get<User[]>('/users')
  const value = computed<User>(() => user)
}
export class Component {
  user = signal<User | null>(null)
  users = inject(Users)
  given = input.required<User>()
  fetched = module.get(Users)
}
const name = ref<User>()
const list = ref<User[]>([])
const state = reactive<Session>({})
const shown = withDefaults(defineProps<{ user: User }>(), {})
