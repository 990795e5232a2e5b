# SPDX-License-Identifier: BSD-3-Clause
"""The machines on which random programs run."""

TEXT = """name = "test"
alpha = 10.0{digits}
beta = 0.5{digits}
gamma = 0.25{digits}
[network]
topology = "{topology}:1024"
switching = "{switching}"
hop = 1.5{digits}
link_beta = {link_beta}{digits}
{more}
[node]
ports = "{ports}"
window = 6.0{digits}
send_alpha = 4.0{digits}
send_beta = 0.3{digits}
receive_alpha = 3.0{digits}
receive_beta = 0.2{digits}
gamma_alpha = 1.0{digits}
copy_alpha = 2.0{digits}
copy = 0.1{digits}
[protocol]
handover = "{handover}"
threshold = 64
request_alpha = 7.0{digits}
"""
KINDS = {"bus": ("bus", "packet = 64\ngap = 2"),
         "store_and_forward": ("crossbar", "packet = 64"), "circuit": ("crossbar", "held = 3"),
         "circuit_by_links": ("crossbar", "held = 3"), "wormhole": ("crossbar", "held = 3"),
         "share_equal": ("crossbar", ""), "share_max_min": ("crossbar", "")}


def describe(path, switching, ports, link_beta, digits, handover):
    """Writes the file of a machine."""
    topology, more = KINDS[switching]
    path.write_text(TEXT.format(topology=topology, switching=switching, more=more, ports=ports,
                                link_beta=link_beta, digits=digits, handover=handover))
