#!/bin/sh
# Two machines, alpha and beta, for MPI's launcher: namespaces with a network between them, and
# beta's monotonic clock is 1000 s ahead of alpha's. The arguments are a folder and a command,
# which runs on alpha; it finds there beta's agent in place of rsh, and the machines by their
# addresses, 10.77.0.1 and 10.77.0.2. It is to be called by: unshare --net --uts --mount --pid
# --fork --kill-child --mount-proc, so that nothing is left behind it.
set -eu
folder=$1
shift
hostname alpha
unshare --net --uts --time --monotonic 1000 --fork sh -c "echo \$\$ > $folder/started && mv $folder/started $folder/beta && exec sleep 100" &
until [ -e "$folder/beta" ]; do sleep 0.02; done
beta="nsenter --target $(cat "$folder/beta") --net --uts --time --"
ip link set lo up
ip link add wire type veth peer name wire netns "$(cat "$folder/beta")"
ip address add 10.77.0.1/24 dev wire
ip link set wire up
$beta hostname beta
$beta ip link set lo up
$beta ip address add 10.77.0.2/24 dev wire
$beta ip link set wire up
cat > "$folder/agent" <<A
#!/bin/sh
shift
exec $beta sh -c "\$*"
A
chmod +x "$folder/agent"
"$@"
