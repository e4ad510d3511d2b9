/** How etcd, Patroni and HAProxy are set: what `docs/operations.md`, "High availability", tells. */
import { join } from 'node:path';

/** One machine of the cluster, were it not on this one: a member of etcd, a Patroni, a Postgres. */
export type Place = {
  name: string;
  /** All that it stores. */
  folder: string;
  ports: { etcd: number; etcdPeer: number; patroni: number; postgres: number };
};

/** In seconds, with `loop_wait + 2 * retry_timeout <= ttl`, which Patroni asks for. */
export type Pace = { ttl: number; loop_wait: number; retry_timeout: number };

/** `ttl` is how long after its last sign of life a primary is taken for dead. */
export function paceOf(ttl: number): Pace {
  const loop_wait = Math.max(1, Math.floor(ttl / 5));
  return { ttl, loop_wait, retry_timeout: Math.floor((ttl - loop_wait) / 2) };
}

export function etcdArguments(place: Place, places: Place[]): string[] {
  const address = `http://127.0.0.1:${place.ports.etcd}`;
  const peerOf = ({ ports }: Place) => `http://127.0.0.1:${ports.etcdPeer}`;
  const settings = {
    name: place.name,
    'data-dir': join(place.folder, 'etcd'),
    'listen-client-urls': address,
    'advertise-client-urls': address,
    'listen-peer-urls': peerOf(place),
    'initial-advertise-peer-urls': peerOf(place),
    'initial-cluster': places.map((each) => `${each.name}=${peerOf(each)}`).join(','),
    logger: 'zap',
    'log-level': 'error',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** As JSON, which is YAML as well. `programs` is the folder of Postgres's. */
export function patroniSettings(
  { name, folder, ports }: Place,
  { places, pace, programs }: { places: Place[]; pace: Pace; programs: string },
): string {
  const restAddress = `127.0.0.1:${ports.patroni}`;
  const address = `127.0.0.1:${ports.postgres}`;
  return JSON.stringify({
    scope: 'testimonials',
    name,
    log: { dir: folder },
    restapi: { listen: restAddress, connect_address: restAddress },
    etcd3: { hosts: places.map((place) => `127.0.0.1:${place.ports.etcd}`) },
    bootstrap: {
      dcs: {
        ...pace,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        // Of what a synchronous standby lacks, nothing was acknowledged.
        maximum_lag_on_failover: 2 ** 30,
        failsafe_mode: true,
        postgresql: {
          use_pg_rewind: true,
          parameters: {
            max_connections: 200,
            wal_sender_timeout: '10s',
            wal_retrieve_retry_interval: '500ms',
          },
        },
      },
      initdb: ['data-checksums', { encoding: 'UTF8' }, { locale: 'C.UTF-8' }, { auth: 'trust' }],
    },
    postgresql: {
      listen: address,
      connect_address: address,
      data_dir: join(folder, 'data'),
      bin_dir: programs,
      pgpass: join(folder, 'pgpass'),
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: { unix_socket_directories: folder },
    },
  });
}

/** Leads to the node that holds the leader's key, and cuts what is open to one that does not any more. */
export function haproxySettings(port: number, places: Place[]): string {
  const servers = places.map(
    ({ name, ports }) =>
      `  server ${name} 127.0.0.1:${ports.postgres} maxconn 150 check port ${ports.patroni}`,
  );
  return `global
  maxconn 400

defaults
  mode tcp
  timeout connect 2s
  timeout client 15m
  timeout server 15m
  timeout check 2s

listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
}
