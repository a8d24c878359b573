import { Button, PasswordInput, Switch, TextInput } from '@mantine/core';
import { IconServerOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { FormEvent, ReactNode } from 'react';
import type { DriverNetwork } from '../../common/driversApi.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { useApplicationInfo } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { useDriverChange, useDriverNetwork, useRegistries, useRegistryAddition } from './pluginQueries.ts';
import styles from './plugins.module.css';

/** Where drivers come from, and the way there. */
export function RegistriesPane(): ReactNode {
  const words = strings.plugins.registry;
  const registries = useRegistries();
  const remove = useDriverChange((url: string) => api.drivers.removeRegistry.mutate({ url }));
  if (registries.error !== null) {
    return <ProblemPanel title={words.list} problem={problemOf(registries.error)} onRetry={() => void registries.refetch()} />;
  }
  return (
    <div className={styles.pane}>
      <p className={styles.hint}>{words.text}</p>
      {registries.data?.length === 0 ? (
        <EmptyState icon={<IconServerOff size={32} stroke={1.25} />} title={words.emptyTitle} text={words.emptyText} />
      ) : null}
      <ul className={styles.records} aria-label={words.list}>
        {registries.data?.map((registry) => (
          <li key={registry.url}>
            <div className={styles.recordText}>
              <span className={styles.recordTitle}>
                <strong>{registry.name}</strong>
                {registry.from === 'settings' ? null : <StateBadge tone="plain">{words.from[registry.from]}</StateBadge>}
                {registry.hasCredential ? <StateBadge tone="good">{words.token}</StateBadge> : null}
                <StateBadge
                  tone={
                    registry.catalogue.problem !== undefined
                      ? 'warning'
                      : registry.catalogue.state === 'signed'
                        ? 'good'
                        : 'plain'
                  }
                >
                  {registry.catalogue.problem !== undefined ? words.catalogueFaulty : words.catalogue[registry.catalogue.state]}
                </StateBadge>
              </span>
              <span className={styles.hint}>
                {[
                  registry.url,
                  ...(registry.scopes.length === 0 ? [] : [words.scopes(registry.scopes)]),
                  ...(registry.packages.length === 0 ? [] : [words.packages(registry.packages)]),
                  ...(registry.downloadOrigins.length === 0 ? [] : [words.origins(registry.downloadOrigins)]),
                ].join(' · ')}
              </span>
              {registry.catalogue.problem === undefined ? null : (
                <span className={styles.warning} role="alert">
                  {textInWindowLanguage(registry.catalogue.problem, registry.catalogue.problemOrigin)}
                </span>
              )}
              {registry.catalogue.fingerprint === undefined ? null : (
                <span className={styles.hint}>{words.catalogueFingerprint(registry.catalogue.fingerprint)}</span>
              )}
            </div>
            {registry.from === 'settings' ? (
              <Button
                variant="default"
                aria-label={words.removeOf(registry.name)}
                loading={remove.isPending}
                onClick={() => remove.mutate(registry.url)}
              >
                {words.remove}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      {remove.error === null ? null : <ProblemPanel compact title={words.notSaved} problem={problemOf(remove.error)} />}
      <AddRegistry />
      <Network />
    </div>
  );
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((part) => part !== '');
}

function AddRegistry(): ReactNode {
  const words = strings.plugins.registry;
  const info = useApplicationInfo();
  const [url, setUrl] = useState('');
  const [scopes, setScopes] = useState('');
  const [packages, setPackages] = useState('');
  const [origins, setOrigins] = useState('');
  const [token, setToken] = useState('');
  const save = useRegistryAddition(() =>
    api.drivers.saveRegistry.mutate({
      url: url.trim(),
      scopes: listed(scopes),
      packages: listed(packages),
      ...(listed(origins).length === 0 ? {} : { downloadOrigins: listed(origins) }),
      ...(token === '' ? {} : { token }),
    }),
  );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate(undefined, {
      onSuccess: () => {
        setUrl('');
        setScopes('');
        setPackages('');
        setOrigins('');
        setToken('');
      },
    });
  };
  return (
    <form className={styles.form} onSubmit={submit} aria-label={words.addTitle}>
      <h3>{words.addTitle}</h3>
      <div className={styles.fields}>
        <TextInput
          label={words.url}
          placeholder={words.urlPlaceholder}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={words.scopesLabel}
          description={words.scopesHelp}
          value={scopes}
          onChange={(event) => setScopes(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={words.packagesLabel}
          description={words.packagesHelp}
          value={packages}
          onChange={(event) => setPackages(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={words.originsLabel}
          description={words.originsHelp}
          value={origins}
          onChange={(event) => setOrigins(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordInput
          label={words.tokenLabel}
          description={
            info.data?.secureStore.available === true
              ? words.tokenHelp(info.data.secureStore.name)
              : strings.form.secret.unavailableNoReason
          }
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          disabled={info.data?.secureStore.available !== true}
          autoComplete="off"
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
      </div>
      {save.error === null ? null : <ProblemPanel compact title={words.notSaved} problem={problemOf(save.error)} />}
      <Button type="submit" variant="default" loading={save.isPending} disabled={url.trim() === ''}>
        {words.add}
      </Button>
    </form>
  );
}

function Network(): ReactNode {
  const network = useDriverNetwork();
  return network.data === undefined ? null : <NetworkForm key={JSON.stringify(network.data)} saved={network.data} />;
}

function NetworkForm({ saved }: { readonly saved: DriverNetwork }): ReactNode {
  const words = strings.plugins.registry;
  const [proxy, setProxy] = useState(saved.proxy);
  const [file, setFile] = useState(saved.certificateAuthorityFile);
  const save = useDriverChange((change: DriverNetwork) => api.drivers.setNetwork.mutate(change));
  const isChanged = proxy !== saved.proxy || file !== saved.certificateAuthorityFile;
  return (
    <form
      className={styles.form}
      aria-label={words.networkTitle}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ ...saved, proxy: proxy.trim(), certificateAuthorityFile: file.trim() });
      }}
    >
      <h3>{words.networkTitle}</h3>
      <Switch
        label={words.offline}
        description={words.offlineHelp}
        checked={saved.offline}
        disabled={save.isPending}
        onChange={(event) => save.mutate({ ...saved, offline: event.currentTarget.checked })}
      />
      <div className={styles.fields}>
        <TextInput
          label={words.proxy}
          description={words.proxyHelp}
          value={proxy}
          onChange={(event) => setProxy(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label={words.authorities}
          description={words.authoritiesHelp}
          value={file}
          onChange={(event) => setFile(event.currentTarget.value)}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      {save.error === null ? null : <ProblemPanel compact title={words.networkNotSaved} problem={problemOf(save.error)} />}
      {isChanged ? (
        <Button type="submit" variant="default" loading={save.isPending}>
          {words.save}
        </Button>
      ) : null}
    </form>
  );
}
